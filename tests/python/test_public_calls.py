"""Every call of both machines that public code makes: it runs, or an error says that it cannot."""

from __future__ import annotations

import numpy as np
import pytest
import solway as sw

DECLARATIONS = {
    "sw26010": """
#include <dma.h>
#define VECTORS doublev4 a=1.0,b=2.0,c=3.0;floatv4 f=1.f,g=2.f,h=3.f; \\
intv8 i={1,2,3,4,5,6,7,8},j=i;int256 l={1,2,3,4};
__thread_local volatile int r,w; __thread_local volatile unsigned long ul;
__thread_local float buf[64]; __thread_local_fix dma_desc d; __thread_local doublev4 vec;
""",
    "sw26010pro": """
#include <crts.h>
#define VECTORS doublev8 a=1.0,b=2.0,c=3.0;floatv8 f=1.f,g=2.f,h=3.f;intv16 i={1,2},j=i; \\
int512 l={1,2};
#define FILL for(int k=0;k<64;k++)buf[k]=buf2[k]=k;rp=lp=rr=0;athread_ssync_array();
__ldm volatile int r,w; __thread_local athread_rply_t rp, lp, rr;
__thread_local crts_rply_t cr; __thread_local float buf[64], buf2[64];
__thread_local doublev8 vec; __thread_local double red[8], red2[8], redb[64];
""",
}

ON_CPE = {
    "sw26010": {
        "_MYID": "p->y[_MYID]=_MYID;",
        "_ROW": "p->y[_MYID]=_ROW;",
        "_COL": "p->y[_MYID]=_COL;",
        "athread_get_id": "p->y[_MYID]=athread_get_id(-1);",
        "athread_get_core": "p->y[_MYID]=athread_get_core(-1);",
        "rcsr0": 'int t;asm volatile("rcsr %0, 0":"=r"(t));',
        "rcsr1": 'int t;asm volatile("rcsr %0,1":"=r"(t));',
        "rcsr2": 'int t;asm volatile("rcsr %0,2":"=r"(t));',
        "rcsr4": 'unsigned long t;asm volatile("rcsr %0,4":"=r"(t));p->y[_MYID]=t>0;',
        "ldm_malloc": "float*q=(float*)ldm_malloc(64);ldm_free(q,64);",
        "get_allocatable_size": "p->y[_MYID]=get_allocatable_size();",
        "get_PE": "r=0;athread_get(PE_MODE,p->x,buf,256,&r,0,0,0);while(r!=1);",
        "get_ul": "ul=0;athread_get(PE_MODE,p->x,buf,256,(void*)&ul,0,0,0);while(ul!=1);",
        "put": (
            "r=0;for(int k=0;k<64;k++)buf[k]=k;"
            "athread_put(PE_MODE,buf,p->y+64*_MYID,256,&r,0,0);while(r!=1);"
        ),
        "get_strided": "r=0;athread_get(PE_MODE,p->x,buf,256,&r,0,64,64);while(r!=1);",
        "get_BCAST": (
            "r=0;athread_syn(ARRAY_SCOPE,0xffff);"
            "if(_MYID==0){athread_get(BCAST_MODE,p->x,buf,256,&r,0xff,0,0);while(r!=1);}"
            "athread_syn(ARRAY_SCOPE,0xffff);"
        ),
        "get_RANK": (
            "athread_syn(ROW_SCOPE,0xff);r=0;"
            "athread_get(RANK_MODE,p->x,buf+8*_COL,256,&r,0,0,32);while(r!=1);"
            "athread_syn(ROW_SCOPE,0xff);"
        ),
        "dma_barrier_athread": (
            "r=0;athread_get(PE_MODE,p->x,buf,256,&r,0,0,0);athread_dma_barrier();"
            "p->y[64*_MYID]=buf[3];while(r!=1);"
        ),
        "syn_row": "athread_syn(ROW_SCOPE,0xff);",
        "syn_col": "athread_syn(COL_SCOPE,0xff);",
        "syn_array": "athread_syn(ARRAY_SCOPE,0xffff);",
        "asm_sync": 'asm volatile("ldi $2, 0xff\\nsync $2\\nsynr $2":::"$2");',
        "asm_sync_r": 'asm volatile("synr %0"::"r"(0xff));asm volatile("sync %0"::"r"(0xff));',
        "memb": 'asm volatile("memb");asm volatile("memb":::"memory");',
        "desc": (
            "r=0;dma_descriptor_init(&d,&r);dma_set_size(&d,256);dma_set_bsize(&d,0);"
            "dma_set_stepsize(&d,0);dma_set_op(&d,DMA_GET);dma_set_mode(&d,PE_MODE);"
            "dma_set_mask(&d,0);dma_set_reply(&d,&r);dma(d,(long)p->x,(long)buf);"
            "dma_wait(&r,1);"
        ),
        "desc_barrier": (
            "r=0;dma_descriptor_init(&d,&r);dma_set_size(&d,256);dma(d,(long)p->x,(long)buf);"
            "dma_barrier();dma_wait(&r,1);"
        ),
        "putr": "VECTORS simd_putr(a,(_COL+1)&7);a=simd_getr(a);",
        "putc": "VECTORS simd_putc(f,(_ROW+1)&7);f=simd_getc(f);",
        "putr8": "VECTORS if(_COL==0)simd_putr(a,8);else simd_getr(a);",
        "REG macros": (
            'doublev4 v=1.0,o;asm volatile("putr %0,%1"::"r"(v),"r"((_COL+1)&7));'
            'asm volatile("getr %0":"=r"(o));'
            'asm volatile("putc %0,%1\\n"::"r"(v),"r"((_ROW+1)&7):"memory");'
            'asm volatile("getc %0\\n":"=r"(o)::"memory");'
        ),
        "loadr": "vec=1.0;doublev4 a;if(_COL==2){simd_loadr(a,&vec);}else simd_getr(a);",
        "loadc": "vec=1.0;doublev4 a;if(_ROW==2){simd_loadc(a,&vec);}else simd_getc(a);",
        "loader": "vec=1.0;doublev4 a;if(_COL==2){simd_loader(a,(double*)&vec);}else simd_getr(a);",
        "loadec": "vec=1.0;doublev4 a;if(_ROW==2){simd_loadec(a,(double*)&vec);}else simd_getc(a);",
        "load": (
            "VECTORS simd_store(b,&vec);simd_load(a,&vec);simd_loadu(a,&vec);"
            "simd_storeu(b,&vec);simd_loade(a,(double*)&vec);simd_store(f,buf);"
            "simd_load(f,buf);simd_loadu(f,buf);simd_storeu(f,buf);simd_loade(f,buf);"
        ),
        "operators": (
            "VECTORS a=a+b*c-a/b;f=f*g+h;a=(doublev4)f;f=(floatv4)a;i=i+j;"
            "p->y[64*_MYID]=simd_vextf0(a);"
        ),
        "cast shuffled": "VECTORS uintv8 u={1};uint256 u2={2};p->y[64*_MYID]=u[0]+u2[0];",
        "vshff int": "VECTORS i=simd_vshff(i,j,0x76543210);p->y[64*_MYID]=i[0];",
    },
    "sw26010pro": {
        "_PEN": "p->y[64*_PEN]=_PEN+_MYID+_ROW+_COL+_CGN+CRTS_tid+CRTS_rid+CRTS_cid+CRTS_cgn;",
        "dma_get": "athread_dma_get(buf,p->x,256);",
        "dma_put": "FILL athread_dma_put(p->y+64*_PEN,buf,256);",
        "get_stride": "athread_dma_get_stride(buf,p->x,256,64,64);",
        "put_stride": "FILL athread_dma_put_stride(p->y+64*_PEN,buf,128,64,64);",
        "iget": "rp=0;athread_dma_iget(buf,p->x,256,&rp);athread_dma_wait_value(&rp,1);",
        "iput": "FILL athread_dma_iput(p->y+64*_PEN,buf,256,&rp);athread_dma_wait_value(&rp,1);",
        "iget_stride": (
            "rp=0;athread_dma_iget_stride(buf,p->x,256,64,64,&rp);athread_dma_wait_value(&rp,1);"
        ),
        "iput_stride": (
            "FILL athread_dma_iput_stride(p->y+64*_PEN,buf,128,64,64,&rp);"
            "athread_dma_wait_value(&rp,1);"
        ),
        "ibcast": (
            "FILL if(_PEN==0)athread_dma_ibcast(buf,p->x,256,&rp);"
            "athread_dma_wait_value(&rp,1);athread_ssync_array();"
        ),
        "row_ibcast": (
            "FILL if(_COL==0)athread_dma_row_ibcast(buf,p->x,256,&rp);"
            "athread_dma_wait_value(&rp,1);athread_ssync_array();"
        ),
        "col_ibcast": (
            "FILL if(_ROW==0)athread_dma_col_ibcast(buf,p->x,256,&rp);"
            "athread_dma_wait_value(&rp,1);athread_ssync_array();"
        ),
        "col_ibcast_stride": (
            "FILL if(_ROW==0)athread_dma_col_ibcast_stride(buf,p->x,256,64,64,&rp);"
            "athread_dma_wait_value(&rp,1);athread_ssync_array();"
        ),
        "bcast_coll": "athread_dma_bcast_coll(buf,p->x,256);",
        "row_bcast_coll": "athread_dma_row_bcast_coll(buf,p->x,256);",
        "col_bcast_coll": "athread_dma_col_bcast_coll(buf,p->x,256);",
        "dma_barrier": "athread_dma_barrier();",
        "CRTS_dma": (
            "CRTS_dma_get(buf,p->x,256);cr=0;CRTS_dma_iget(buf,p->x,256,&cr);"
            "CRTS_dma_wait_value(&cr,1);"
        ),
        "old_get": "r=0;athread_get(PE_MODE,p->x,buf,256,(void*)&r,0,0,0);while(r!=1);",
        "old_put": "FILL r=0;athread_put(PE_MODE,buf,p->y+64*_PEN,256,(void*)&r,0,0);while(r!=1);",
        "rma_get": "FILL athread_rma_get(buf2,256,_PEN^1,buf,&rr);athread_ssync_array();",
        "rma_put": (
            "FILL athread_rma_put(buf,256,_PEN^1,buf2,&rr);athread_rma_wait_value(&rr,1);"
            "athread_ssync_array();"
        ),
        "rma_iget": (
            "FILL athread_rma_iget(buf2,&lp,256,_PEN^1,buf,&rr);"
            "athread_rma_wait_value(&lp,1);athread_ssync_array();"
        ),
        "rma_iput": (
            "FILL athread_rma_iput(buf,&lp,256,_PEN^1,buf2,&rr);"
            "athread_rma_wait_value(&lp,1);athread_rma_wait_value(&rr,1);"
            "athread_ssync_array();"
        ),
        "rma_row_ibcast": (
            "FILL if(_COL==0){athread_rma_row_ibcast(buf2,buf,256,&lp,&rr);"
            "athread_rma_wait_value(&lp,1);}athread_rma_wait_value(&rr,1);"
            "athread_ssync_array();"
        ),
        "rma_col_ibcast": (
            "FILL if(_ROW==0){athread_rma_col_ibcast(buf2,buf,256,&lp,&rr);"
            "athread_rma_wait_value(&lp,1);}athread_rma_wait_value(&rr,1);"
            "athread_ssync_array();"
        ),
        "rma_bcast": (
            "FILL if(_PEN==0)athread_rma_bcast(buf2,buf,256,&rr);"
            "athread_rma_wait_value(&rr,1);athread_ssync_array();"
        ),
        "rma_ibcast": (
            "FILL if(_PEN==0){athread_rma_ibcast(buf2,buf,&lp,256,&rr);"
            "athread_rma_wait_value(&lp,1);}athread_rma_wait_value(&rr,1);"
            "athread_ssync_array();"
        ),
        "rma_bcast_coll": "FILL athread_rma_bcast_coll(buf2,buf,256,3);",
        "rma_row_bcast_coll": "FILL athread_rma_row_bcast_coll(buf2,buf,256,3);",
        "rma_col_bcast_coll": "FILL athread_rma_col_bcast_coll(buf2,buf,256,3);",
        "rma_row_mcast": (
            "FILL if(_PEN==0)athread_rma_row_mcast(buf2,buf,256,0x3,&rr);"
            "if(_ROW<2)athread_rma_wait_value(&rr,1);athread_ssync_array();"
        ),
        "rma_row_imcast": (
            "FILL if(_PEN==0){athread_rma_row_imcast(buf2,buf,256,&lp,0x3,&rr);"
            "athread_rma_wait_value(&lp,1);}if(_ROW<2)athread_rma_wait_value(&rr,1);"
            "athread_ssync_array();"
        ),
        "ssync": (
            "athread_ssync_array();athread_ssync(ROW_SCOPE,0xff);"
            "athread_ssync(COL_SCOPE,0xff);athread_ssync_node();athread_ssync_row();"
            "athread_ssync_col();CRTS_ssync_array();"
        ),
        "pldm_malloc": (
            "float*q=(float*)CRTS_pldm_malloc(256);CRTS_pldm_free(q,256);"
            "q=(float*)ldm_malloc(64);ldm_free(q,64);"
        ),
        "redurt": (
            "for(int k=0;k<8;k++)red[k]=1;"
            "CRTS_scoll_redurt(red,red2,8,CRTS_double,OP_add,redb,64);p->y[64*_PEN]=red2[0];"
        ),
        "stime": "unsigned long t=athread_stime_cycle();p->y[64*_PEN]=t>0;",
        "flush": "flush_slave_cache();",
        "simd8": (
            "VECTORS simd_store(a,&vec);simd_load(a,&vec);simd_loadu(a,&vec);"
            "simd_storeu(a,&vec);p->y[64*_PEN]=simd_reduc_plusd(a);"
        ),
        "fat": (
            "VECTORS a=simd_vmad(a,b,c);f=simd_vmas(f,g,h);a=simd_vnmad(a,b,c);"
            "a=simd_vmuld(a,b);a=simd_vsubd(a,b);a=simd_vaddd(a,b);a=simd_vdivd(a,b);"
            "a=simd_vcpyfd(2.0);a=simd_vfrecpd(a);f=simd_set_floatv8(1,2,3,4,5,6,7,8);"
            "a=simd_set_doublev8(1,2,3,4,5,6,7,8);f=simd_vshfs(f,g,i);"
            "p->y[64*_PEN]=a[0]+f[0];"
        ),
    },
}

# What they give is put into main memory, so that it is computed.
VECTOR_FUNCTIONS = {
    "simd_vmad": "a,b,c",
    "simd_vmsd": "a,b,c",
    "simd_vnmad": "a,b,c",
    "simd_vnmsd": "a,b,c",
    "simd_vmas": "f,g,h",
    "simd_vmss": "f,g,h",
    "simd_vnmas": "f,g,h",
    "simd_vnmss": "f,g,h",
    "simd_vaddd": "a,b",
    "simd_vadds": "f,g",
    "simd_vsubd": "a,b",
    "simd_vsubs": "f,g",
    "simd_vmuld": "a,b",
    "simd_vmuls": "f,g",
    "simd_vdivd": "a,b",
    "simd_vdivs": "f,g",
    "simd_vsqrtd": "a",
    "simd_vsqrts": "f",
    "simd_vinsf0": "1.0,a",
    "simd_vinsf1": "1.0,a",
    "simd_vinsf2": "1.0f,f",
    "simd_vinsf3": "1.0f,f",
    "simd_vextf0": "a",
    "simd_vextf1": "a",
    "simd_vextf2": "f",
    "simd_vextf3": "f",
    "simd_vshff": "a,b,0x4e",
    "simd_vseleq": "a,b,c",
    "simd_vsellt": "a,b,c",
    "simd_vselle": "f,g,h",
    "simd_vfcmpeq": "a,b",
    "simd_vfcmple": "a,b",
    "simd_vfcmplt": "f,g",
    "simd_vfcmpun": "f,g",
    "simd_set_doublev4": "1,2,3,4",
    "simd_set_floatv4": "1,2,3,4",
    "simd_vaddw": "i,j",
    "simd_vsubw": "i,j",
    "simd_vaddl": "l,l",
    "simd_vsubl": "l,l",
    "simd_vandw": "i,j",
    "simd_vbisw": "i,j",
    "simd_vxorw": "i,j",
    "simd_vbicw": "i,j",
    "simd_vornotw": "i,j",
    "simd_veqvw": "i,j",
    "simd_vsllw": "i,2",
    "simd_vsrlw": "i,2",
    "simd_vsraw": "i,2",
    "simd_vrolw": "i,2",
    "simd_vcpys": "a,b",
    "simd_vcpysn": "a,b",
    "simd_vcpyse": "a,b",
    "simd_vabsd": "a",
    "simd_vabss": "f",
    "simd_vcpyf": "a",
}

ON_MPE = {
    "sw26010": {
        "group": "athread_init();athread_spawn_group(0xff,work,&p);athread_join_group(0xff);",
        "create": "athread_init();athread_create(3,work,&p);athread_wait(3);athread_end(3);",
        "threads": (
            "athread_init();int m=athread_get_max_threads();athread_set_num_threads(16);"
            "m+=athread_get_num_threads();athread_spawn(work,&p);athread_join();"
            "athread_halt();"
        ),
        "spawn64": (
            "athread_init();athread_enter64();athread_spawn64(SLAVE_FUN(work),&p);"
            "athread_join64();athread_leave64();"
        ),
        "idle": "athread_init();athread_idle();",
        "real": "athread_init();__real_athread_spawn(SLAVE_FUN(work),&p);athread_join();",
        "real_create": (
            "athread_init();__real_athread_create(2,SLAVE_FUN(work),&p);athread_wait(2);"
        ),
        "real_group": (
            "athread_init();__real_athread_spawn_group(0x3,SLAVE_FUN(work),&p);"
            "athread_join_group(3);"
        ),
        "rtc": 'unsigned long t;asm volatile("rtc %0":"=r"(t));',
    },
    "sw26010pro": {
        "spawn": "athread_init();athread_spawn(work,&p);athread_join();athread_halt();",
        "noflush": "athread_init();athread_spawn_noflush(work,&p);athread_join();",
        "real3": (
            "athread_init();__real_athread_spawn((void*)SLAVE_FUN(work),(void*)&p,1);"
            "athread_join();"
        ),
        "cgs": "athread_init_cgs();athread_spawn_cgs(work,&p);athread_join_cgs();",
        "cgmask": "athread_init_cgs();athread_spawn_cgmask(3,work,&p);athread_join_cgmask(3);",
        "spawn64": (
            "athread_init();athread_enter64();athread_spawn64(work);athread_join64();"
            "athread_leave64();"
        ),
        "time": "unsigned long t=athread_time_cycle();",
        "crts_init": "CRTS_init();",
    },
}

REFUSED = [
    ("sw26010", "cpe", "get_ROW", "r=0;athread_get(ROW_MODE,p->x,buf,256,&r,0,0,0);while(r!=1);"),
    (
        "sw26010",
        "cpe",
        "get_BROW",
        "r=0;athread_get(BROW_MODE,p->x,buf,256,&r,0xff,0,0);while(r!=1);",
    ),
    ("sw26010", "cpe", "get_p", "athread_get_p(PE_MODE,p->x,buf,256,&r,0,0,0);"),
    ("sw26010", "cpe", "put_p", "athread_put_p(PE_MODE,buf,p->y,256,&r,0,0);"),
    (
        "sw26010",
        "cpe",
        "desc_op_p",
        "r=0;dma_descriptor_init(&d,&r);dma_set_size(&d,256);dma_set_op(&d,DMA_GET_P);"
        "dma(d,(long)p->x,(long)buf);dma_wait(&r,1);",
    ),
    ("sw26010", "mpe", "cancel", "athread_init();athread_create(3,work,&p);athread_cancel(3);"),
    ("sw26010", "mpe", "h2ldm", "extern int v; int q=h2ldm(v,0,0);(void)q;"),
    ("sw26010", "mpe", "IO_addr", "long q=IO_addr(p.x,0,0);(void)q;"),
    ("sw26010pro", "cpe", "old BCAST", "athread_get(BCAST_MODE,p->x,buf,256,(void*)&r,0xff,0,0);"),
    (
        "sw26010pro",
        "cpe",
        "old RANK",
        "athread_get(RANK_MODE,p->x,buf+8*_COL,256,(void*)&r,0xff,0,32);",
    ),
    ("sw26010pro", "cpe", "ssync_sldm", "athread_ssync_sldm();"),
    ("sw26010pro", "cpe", "memcpy_sldm", "athread_memcpy_sldm(buf,p->x,256,MEM_TO_LDM);"),
    ("sw26010pro", "cpe", "LDM_TO_MEM", "athread_memcpy_sldm(p->x,buf,256,LDM_TO_MEM);"),
    ("sw26010pro", "cpe", "vlenma", 'asm volatile("vlenma %0,%1,%2"::"r"(1),"r"(2),"r"(3));'),
    ("sw26010pro", "cpe", "csr", 'long t;asm volatile("wcsr %0,0x90"::"r"(1L));'),
    ("sw26010pro", "cpe", "ssync_master", "athread_ssync_master_array();"),
    ("sw26010pro", "mpe", "all", "athread_init_cgs();athread_spawn_all(work,&p);"),
    ("sw26010pro", "mpe", "real_all", "__real_athread_spawn_all((void*)SLAVE_FUN(work),&p,1);"),
    ("sw26010pro", "cpe", "float16v32", "float16v32 q={};p->y[64*_PEN]=(float)q[0];"),
    ("sw26010", "cpe", "asm vldr", 'doublev4 v;asm volatile("vldr %0,0(%1)":"=r"(v):"r"(&vec));'),
]


def kernel(folder, machine, cpe="", mpe=None):
    """A kernel of which the CPEs do `cpe`, and the MPE program `mpe` instead of one spawn."""
    start = "typedef struct { float *x, *y; } P;\n"
    mpe = mpe or "athread_init(); athread_spawn(work, &p); athread_join();"
    (folder / "mpe.c").write_text(
        f"#include <athread.h>\n{start}extern void SLAVE_FUN(work)(P *);\n"
        f"void entry(float *x, float *y) {{ P p = {{x, y}};\n{mpe}\n}}\n"
    )
    (folder / "cpe.c").write_text(
        f"#include <slave.h>\n#include <simd.h>\n{DECLARATIONS[machine]}{start}"
        f"void work(P *p) {{\n{cpe}\n}}\n"
    )
    (folder / "kernel.toml").write_text(
        f'[kernel]\nname = "calls"\ntarget = "{machine}"\nentry = "entry"\n'
        '[sources]\nmpe = ["mpe.c"]\ncpe = ["cpe.c"]\n'
        '[[argument]]\nname = "x"\ndtype = "float32"\nshape = [4096]\nrole = "in"\n'
        '[[argument]]\nname = "y"\ndtype = "float32"\nshape = [4096]\nrole = "inout"\n'
    )
    return sw.hand_kernel(folder)


def run(folder, machine, **code):
    made = kernel(folder, machine, **code)
    x = np.arange(4096, dtype="float32")
    for mode in ("hazard", "timed"):
        made.run(x, np.zeros_like(x), mode=mode)


@pytest.mark.parametrize("machine", ON_CPE)
def test_calls_of_cpes(machine, tmp_path):
    meet = "athread_syn(ARRAY_SCOPE, 0xffff);" if machine == "sw26010" else "athread_ssync_array();"
    run(tmp_path, machine, cpe=meet.join(f"{{ {body} }}\n" for body in ON_CPE[machine].values()))


def test_vector_functions(tmp_path):
    calls = (
        f"{{ __typeof__({name}({given})) q = {name}({given}); "
        "p->y[64 * _MYID] = ((float *)&q)[0]; }"
        for name, given in VECTOR_FUNCTIONS.items()
    )
    run(tmp_path, "sw26010", cpe="VECTORS\n" + "\n".join(calls))


@pytest.mark.parametrize(
    ("machine", "name"), [(machine, name) for machine in ON_MPE for name in ON_MPE[machine]]
)
def test_calls_of_the_mpe(machine, name, tmp_path):
    run(tmp_path, machine, mpe=ON_MPE[machine][name])


@pytest.mark.parametrize(("machine", "side", "name", "code"), REFUSED)
def test_calls_that_are_refused(machine, side, name, code, tmp_path):
    with pytest.raises(sw.UnsupportedError) as caught:
        run(tmp_path, machine, **{side: code})
    assert caught.value.why and caught.value.fix
    assert caught.value.where.file == str(tmp_path / f"{side}.c")
