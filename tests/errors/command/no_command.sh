solway
