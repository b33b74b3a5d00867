import solway as sw

sw.compare({}, inputs=[])
