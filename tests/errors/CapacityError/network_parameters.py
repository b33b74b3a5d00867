import solway as sw

parts, before = [], sw.placeholder((640,), name="h0")
for n in range(1, 40):
    after = sw.compute((640,), lambda i, before=before: before[i] + 1, name=f"h{n}")
    s = sw.create_schedule(after, inputs=[] if n == 1 else [before])
    s[after].parallel(s[after].split("i", factor=10)[0])
    s.buffer_read(before, ["i.i"])
    s.buffer_write(after, ["i.i"])
    parts.append((s, [before, after]))
    before = after
big = sw.compute((1015808,), lambda i: before[i % 640] + 1, name="big")
s = sw.create_schedule(big, inputs=[before])
outer, inner = s[big].split("i", factor=15872)
s[big].parallel(outer)
s.buffer_write(big, [inner])
sw.build_network([*parts, (s, [before, big])], target="sw26010")
