solway build layer.py
