// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/pictures/picture_style.h"

namespace layoutcheck {

std::string_view SvgStyle() {
  return R"css(
.layout text{font:12px 'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#1f2933}
.layout .title{font-size:17px;font-weight:bold}.layout .head{font-size:13px;font-weight:bold}
.layout .faint{fill:#66727f;font-size:11px}.layout .cell{text-anchor:middle}.layout .number{text-anchor:end}
.layout .bold{font-weight:bold}.layout .page{fill:#fff}.layout .dot{fill:#66727f}
.layout .frame{fill:none;stroke:#3e4c59;stroke-width:1.4}.layout .border{stroke:#3e4c59;stroke-width:.8}
.layout .heavy{stroke-width:2}
.layout .swatch{stroke:#66727f;stroke-width:.6}.layout .marked{stroke:#b3261e;stroke-width:2}
.layout .hatch{fill:url(#pad)}.layout .hatch-back{fill:#f4f5f7}.layout .hatch-line{fill:#b4bcc6}
.layout .p0{fill:#cfe3f8}.layout .p1{fill:#fde0bf}.layout .p2{fill:#d2efd0}.layout .p3{fill:#f8d0d6}
.layout .p4{fill:#e3d8f5}.layout .p5{fill:#fdf1b4}.layout .p6{fill:#c8ecec}.layout .p7{fill:#e9dcc6}
.layout .s0{fill:#7db1e8}.layout .s1{fill:#f5b168}.layout .s2{fill:#83cf83}.layout .s3{fill:#ec8e9d}
.layout .s4{fill:#b498e0}.layout .s5{fill:#efd657}.layout .s6{fill:#79cfcf}.layout .s7{fill:#c9aa7a}
@media screen and (prefers-color-scheme:dark){
.layout text{fill:#e3e8ee}.layout .faint{fill:#9aa7b5}.layout .page{fill:#14191f}.layout .dot{fill:#9aa7b5}
.layout .frame,.layout .border{stroke:#8a97a5}.layout .swatch{stroke:#9aa7b5}.layout .marked{stroke:#ff8a80}
.layout .hatch-back{fill:#1d242c}.layout .hatch-line{fill:#475362}
.layout .p0{fill:#1f3f61}.layout .p1{fill:#61401a}.layout .p2{fill:#224b28}.layout .p3{fill:#632c38}
.layout .p4{fill:#41336b}.layout .p5{fill:#574c12}.layout .p6{fill:#154d4f}.layout .p7{fill:#4d4030}
.layout .s0{fill:#3f7cbf}.layout .s1{fill:#b87428}.layout .s2{fill:#47974b}.layout .s3{fill:#bd5769}
.layout .s4{fill:#7c60b5}.layout .s5{fill:#a58e22}.layout .s6{fill:#389595}.layout .s7{fill:#887046}}
@media print{.layout{max-width:100%;height:auto}}
)css";
}

std::string_view PageStyle() {
  return R"css(
:root{color-scheme:light dark;--page:#fff;--text:#1f2933;--faint:#66727f;--line:#cbd2d9;--link:#1d5fbf}
@media screen and (prefers-color-scheme:dark){:root{--page:#14191f;--text:#e3e8ee;--faint:#9aa7b5;--line:#384450;--link:#8ab8f5}}
body{margin:2em;font-family:system-ui,sans-serif;color:var(--text);background:var(--page)}a{color:var(--link)}
table{border-collapse:collapse}th,td{text-align:left;vertical-align:top;padding:.1em 2em .1em 0}
th{font-weight:normal;color:var(--faint);white-space:nowrap}
code,td{font-family:'DejaVu Sans Mono',Menlo,Consolas,monospace;overflow-wrap:anywhere}
div{overflow-x:auto}svg{margin-left:-24px}
@media print{body{margin:0}div{overflow:visible}svg{margin-left:0}table,svg{break-inside:avoid}h1,h2{break-after:avoid}}
)css";
}

}  // namespace layoutcheck
