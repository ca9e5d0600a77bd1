#include <cstdio>
#include "simulator/simulator.h"
#include "solutions/model/cases.h"
int main(int argc,char**argv){
  auto&o=cusim::options(); o.races=o.unset=false; o.profile="h200"; o.warpBlocks=0;
  std::printf("lab,kernel,size,blocks,threads,sampled,fit,shared,barriers,gl,gs,ga,sl,ss,cl,wb,greq,sectors,lines,bsec,sreq,spass,srows,creq,cpass,warps,fitby,arrays\n");
  for(const auto&c:model::cases()){
    if(argc>1 && (c.lab+"/"+c.kernel).find(argv[1])==std::string::npos) continue;
    cusim::reset();
    float*m[3]={nullptr,nullptr,nullptr}; size_t n[3]={c.inputs[0],c.inputs[1],c.output};
    for(int i=0;i<3;i++) if(n[i]) cudaMalloc(&m[i],n[i]*4);
    o.grid=dim3(c.grid.x<2?c.grid.x:2,1,1);
    c.launch(m[0],m[1],m[2]);
    if(cusim::launches().empty()){std::fprintf(stderr,"%s none\n",c.kernel.c_str());continue;}
    const auto&l=cusim::launches().back();
    for(auto&f:cusim::findings()) if(f.kind!="unchecked-launch") std::fprintf(stderr,"%s %s\n",c.kernel.c_str(),f.kind.c_str());
    auto f=cusim::occupancy(l); const auto&w=l.warps;
    auto u=[](std::uint64_t x){return (unsigned long long)x;};
    std::printf("%s,\"%s\",%s,%u,%llu,%u,%d,%zu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%s,",c.lab.c_str(),c.kernel.c_str(),c.size.c_str(),c.grid.x*c.grid.y*c.grid.z,u(l.threads)/(l.grid.x*l.grid.y),l.grid.x*l.grid.y,f.blocks,l.staticSharedBytes+l.dynamicSharedBytes,u(l.barriersPerThread),u(l.global().loads),u(l.global().stores),u(l.global().atomics),u(l.shared().loads),u(l.shared().stores),u(l.space[1].loads),u(w.blocks),u(w.globalRequests),u(w.sectors),u(w.lines),u(w.blockSectors),u(w.sharedRequests),u(w.sharedPasses),u(w.sharedRows),u(w.constantRequests),u(w.constantPasses),u(w.warps),f.limitedBy);
    for(auto&a:l.arrays) if(a.space==cusim::Space::Global) std::printf("%zu:%llu:%llu;",a.bytes,u(a.count.loads),u(a.count.stores));
    std::printf("\n"); std::fflush(stdout);
  }
}
