echo 'import sys; sys.exit("no")' > layer.py
solway build layer.py
