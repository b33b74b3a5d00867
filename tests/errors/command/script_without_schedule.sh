echo 'schedule = 1' > layer.py
solway build layer.py
