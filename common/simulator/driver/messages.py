"""Says in one line each what the simulated device lacks, if the compiler takes many for it."""

import re

# g++ and clang about a function or a type that include/cusim/unsupported.h declares.
LACKING = re.compile(
    r"^(.*?:\d+):\d+: error: (?:call to .* declared with attribute error: |.* is unavailable: "
    r"|static assertion failed: )"
    r"(.*simulated device.*)$"
)
# A header that stands for one of the toolkit's.
INCLUDED = re.compile(r"^(?:In file included|\s+) from (.*?:\d+)(?::\d+)?[,:]$")
NO_HEADER = re.compile(r'^(.*?):\d+:\d+: error: #error "(.*simulated device.*)"$')
# g++ about a name of CUDA's that is declared nowhere, and what it would need.
UNDECLARED = re.compile(
    r"^(.*?:\d+):\d+: error: .*?[‘'](?:\w+::)*(\w+)[’'] (?:was not declared in this scope|"
    r"does not name a type|has not been declared|is not a namespace-name|"
    r"in namespace [‘'](?:cub|nvcuda::wmma)[’'] does not|is not a member of [‘']cub[’']).*$"
)
FEATURES = (
    (r"cudaGraphics|cudaGL|cudaD3D", "OpenGL and its window"),
    (
        r"cudaGraph|cudaStream\w*Captur|cuda\w+Node(?:Params|Attr)|cudaMemsetParams|cudaUserObject"
        r"|cudaDevice(?:Get|Set)?GraphMem|cudaStream\w*(?:FireAndForget|TailLaunch)",
        "graphs",
    ),
    (
        r"cuda\w*(?:Array|Mipmap|Texture|Surface|Channel|ReadMode|AddressMode|FilterMode|Resource)",
        "",
    ),
    (r"tex[123]D|tex[A-Z]|surf[123]D", ""),
    (r"cuda(?:Mem|Device)\w*Pool|cudaMemAcc|cudaMemAllocation", "memory pools of a program's own"),
    (r"cuda[A-Z][a-z]*External|cudaExternal|cudaNvSci", "memory of other interfaces"),
    (r"cudaL\w*Attribute|cuda\w*(?:Cluster|Programmatic|MemSync|ExC)", "attributes of a launch"),
    (r"cudaLibrary|cudaKernel|cudaJit|cudaFunction_t", "kernels that are loaded at run time"),
    (r"cudaGet(?:Kernel|Func)|cuda\w*EntryPoint", "kernels that are loaded at run time"),
    (r"cudaMemRange|cudaMem\w*(?:Batch|Discard|Operand|Order)|cudaMemcpy3DPeer", "newer copies"),
    (r"cudaDevAttr|cudaDevP2P|cuda\w*GPUDirect|cuda\w*AtomicOp|cuda\w*Numa", "a property of cards"),
    (
        r"curandState[MST][^t]|curand\w*(?:Dis|Dir|Hist|Scramble|Quasi|Binom|Property)",
        "more of cuRAND",
    ),
    (
        r"curandGenerate[LPS]|curand_\w+4_|curand_\w+n[24]$|CURAND_\w*(?:QUASI|DIR)",
        "more of cuRAND",
    ),
    (r"nvtx(?:Domain|Name|Init|Resource|String|\w+W$)", "more of NVTX"),
    (
        r"__(?:half2?|bfloat162?)2?u?(?:ll|int|short|char)_r|__h\w+_(?:sat|relu|rn|nan|mask)$"
        r"|__u?(?:ll|int|short)2(?:half|bfloat16)_r|__hb?(?:eq|ne|ge|gt|le|lt)u?2?$"
        r"|h2?tanh_approx|__hcmadd|__(?:high|low)s2bfloat162|__hisnan2",
        "more of half precision",
    ),
    (r"cudaIpc|cudaEventInterprocess|cudaMemHandle", "memory that processes share"),
    (r"cuda(?:Access|StreamAttr|StreamSetAttr|CtxResetPersisting)", "windows of the L2 cache"),
    (r"nvrtc|nvJitLink", "NVRTC"),
    (r"cublasLt|CUBLASLT", "cublasLt"),
    (r"CUDA_[RC]_\d|cudaDataType", "a library for mixed types"),
    (r"cublas[A-Z]|CUBLAS_", "a part of cuBLAS"),
    (r"bmma|experimental$", "tensor cores for numbers of less than a byte"),
    (r"(?:Device|Block|Warp)(?:[A-Z][a-z]+)+$", "more of CUB than cub::BlockReduce"),
    (r"__vi?(?:abs|add|avg|cmp|hadd|max|min|neg|sad|set|sub|bm)\w+", "SIMD-in-a-word intrinsics"),
    (r"__is[A-Z]|__fns$|__funnelshift_[lr]c|__f\w+2_r|__fmaf_ieee", "more of a card's intrinsics"),
    (r"cu[A-Z]\w+|CU[a-z]\w+|CU_\w+|CUDA_\w+", "CUDA's driver API"),
)
# Words of the remedies in unsupported.h, and the feature above that they belong to.
SAME = {
    "read the array": "textures",
    "launch the kernels": "graphs",
    "call the runtime": "CUDA's driver API",
}
# Functions of old devices, which CUDA 9 has replaced.
REPLACED = re.compile(r"__(?:shfl(?:_up|_down|_xor)?|any|all|ballot)$")
# What the translator declares for a kernel that is a template or overloaded.
TYPED = re.compile(r"cusim::Signature<void\([^\n]*?\)> (?=cusimSignature_)")
# ld about a name that no object holds.
UNDEFINED = re.compile(
    r"^(?:\S*ld: )?(.*?)(?::?\(\.\S+\))?: undefined reference to [`'‘](.*)['’]$", re.MULTILINE
)
CONTEXT = re.compile(r"^(.*?:\d+):\d+:\s+(?:required from here|required from .*)$")


def needed(name: str) -> str:
    """Returns the feature of a card's that a name of CUDA's belongs to; nothing for other names."""
    for pattern, feature in FEATURES:
        if re.match(pattern, name):
            return feature or "textures"
    return ""


def lacking(said: str, headers: str) -> list[str]:
    """Returns a line for each thing that is missing, with the user's file and line; one alone for
    all names of one feature, as the first is where the remedy begins."""
    found: dict[str, str] = {}
    place = ""
    for line in said.splitlines():
        context = INCLUDED.match(line) or CONTEXT.match(line)
        if context and not context[1].startswith(headers):
            place = context[1]
        if header := NO_HEADER.match(line):
            found.setdefault(header[2], f"{place or header[1]}: error: {header[2]}")
        elif one := LACKING.match(line):
            where = place if one[1].startswith(headers) else one[1]
            feature = next((same for words, same in SAME.items() if words in one[2]), one[2])
            found.setdefault(feature, f"{where}: error: {one[2]}")
        elif (name := UNDECLARED.match(line)) and REPLACED.match(name[2]):
            sentence = (
                f"{name[1]}: error: {name[2]} is gone since CUDA 9; write {name[2]}_sync(mask, ...)"
                ", with the mask 0xffffffff for all lanes"
            )
            found[sentence] = sentence
        elif name and (feature := needed(name[2])):
            sentence = (
                f"{name[1]}: error: {name[2]} needs {feature}, which the simulated device lacks; "
                "take out what uses it, or run on a card"
            )
            found.setdefault(feature, sentence)
        elif name and re.match("cuda[A-Z]|__[a-z]", name[2]) and "did you mean" not in line:
            sentence = (
                f"{name[1]}: error: the simulated device has no {name[2]}; check its spelling, "
                "take it out, or run on a card"
            )
            found[sentence] = sentence
    return list(found.values())


def shortened(said: str, headers: str) -> str:
    """Returns what a compiler said; only the sentences about what is missing where it has some, as
    the rest follows from that."""
    sentences = lacking(said, headers)
    said = said.replace("atomicSets", "atomicExch")  # names of the translator's
    said = TYPED.sub("void ", said).replace("cusimSignature_", "")
    return "".join(f"{sentence}\n" for sentence in sentences) if sentences else said


def undefined(said: str) -> str:
    """Returns what the linker said, in a sentence about the names that are defined nowhere."""
    found: dict[str, str] = {}
    for place, name in UNDEFINED.findall(said):
        found.setdefault(name, place)
    if any(name.startswith("cblas_") for name in found):
        return "cusim: the program uses cuBLAS; add -lcublas\n"
    if "main" in found:
        return "cusim: the program has no main(); add the file that defines it\n"
    if not found:
        return said
    name, place = next(iter(found.items()))
    others = f", like {len(found) - 1} other names" if len(found) > 1 else ""
    return (
        f"{place}: error: {name} is used here, but defined nowhere{others}; add the file or the "
        "library that defines it\n"
    )
