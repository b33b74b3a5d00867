import numpy as np
import solway as sw

sw.compare({"row": lambda a: a.sum(axis=0), "all": lambda a: a.sum()}, inputs=[np.ones((4, 4))])
