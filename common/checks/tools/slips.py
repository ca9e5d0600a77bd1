"""Typical mistakes: which signs, names and types are written instead of others."""

OTHER_SIGNS = {
    "+": "-",
    "-": "+",
    "*": "+",
    "/": "*",
    "%": "/",
    "<": "<= >",
    "<=": "< >=",
    ">": ">= <",
    ">=": "> <",
    "==": "!= <=",
    "!=": "==",
    "&&": "||",
    "||": "&&",
    "++": "--",
    "--": "++",
    "+=": "= -=",
    "-=": "+=",
    "*=": "/=",
    "/=": "*= -=",
}
# Names that are confused with one another, if the file has both.
ALIKE = """
Row Col|Row row|Col col|rows cols|tx ty|bx by|M N P|d_M d_N d_P|Mds Nds|bytesM bytesN bytesP|j k l
J K L|J j|K k|L l|A B C|d_A d_B d_C|ldm ldn ldp|BM BN BK|TM TN|m n|vm vn|r c|RowOfN ColOfM
RowOfB ColOfB|insideM insideN|in out|d_in d_out|dimGrid dimBlock|rowOfM rowOfP|rows rowsOfBand
Width TILE_WIDTH tileWidth BLOCK_WIDTH|k TILE_WIDTH|j TILE_SIDE|firstRow Row rows
rowsPerPiece rows|ph i k|BK TM TN|GlobalVar ConstVar|next tileWidth|own transposed turned
d_drawn d_different|drawn different|threadsPerBlock registersPerThread|blocks threads|t threads
a b|band bands|s band|numStreams bands
"""
OTHER_NAMES = {
    "blockIdx": "threadIdx",
    "threadIdx": "blockIdx",
    "blockDim": "gridDim",
    "x": "y",
    "y": "x",
    "z": "w",
    "w": "z",
    "cudaMemcpyHostToDevice": "cudaMemcpyDeviceToHost",
    "cudaMemcpyDeviceToHost": "cudaMemcpyHostToDevice cudaMemcpyDeviceToDevice",
    "__syncthreads": "__syncwarp __threadfence_block",
    "min": "max",
    "fabsf": "sqrtf",
    "atomicAdd": "atomicSub atomicExch atomicMax",
    "cudaFree": "cudaFreeHost",
    "__constant__": "__device__",
    "maxThreadsPerBlock": "maxThreadsPerMultiProcessor maxBlocksPerMultiProcessor",
    "maxThreadsPerMultiProcessor": "maxThreadsPerBlock",
    "maxBlocksPerMultiProcessor": "multiProcessorCount",
    "regsPerMultiprocessor": "regsPerBlock",
    "sharedMemPerMultiprocessor": "sharedMemPerBlock sharedMemPerBlockOptin",
    "sharedMemPerBlockOptin": "sharedMemPerBlock sharedMemPerMultiprocessor",
    "reservedSharedMemPerBlock": "sharedMemPerBlock",
}
# Limits of today's devices, which a student may write as numbers.
FIGURES = {
    "maxThreadsPerBlock": "1024",
    "maxThreadsPerMultiProcessor": "2048",
    "maxBlocksPerMultiProcessor": "32",
    "regsPerMultiprocessor": "65536",
    "sharedMemPerMultiprocessor": "233472",
    "sharedMemPerBlockOptin": "232448",
    "reservedSharedMemPerBlock": "1024",
}
OTHER_TYPES = {"float": "int double", "size_t": "int", "int": "char"}
