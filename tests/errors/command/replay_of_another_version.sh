echo '{"solway_failure": 9}' > failure.json
solway replay failure.json
