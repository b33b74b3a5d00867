echo '{"solway_failure": 1, "program": []}' > failure.json
solway replay failure.json
