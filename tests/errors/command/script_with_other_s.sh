echo 's = "a schedule"' > layer.py
solway build layer.py
