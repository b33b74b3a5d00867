echo 'print(1 / 0)' > layer.py
solway build layer.py
