import solway as sw

sw.Target.load("my_machine.toml")
