#!/bin/sh
# Makes assets/fonts/lm-math-subset.woff2 from the Latin Modern Math OpenType font (Debian: fonts-lmodern).
# Needs fonttools and brotli:  python3 -m venv v && v/bin/pip install fonttools brotli
# Usage: subset.sh FONT.otf OUT.woff2 [PYFTSUBSET]
set -eu
# The optical sizes for scripts (feature ssty) are left out: they triple the file and browsers barely use them.
OTF=$1 OUT=$2 SUBSET=${3:-pyftsubset}
# ASCII and accents; Greek; operators, arrows and relations; math italic, bold, bold-italic Latin and Greek;
# U+210E is the italic h, which Unicode keeps outside the math-italic block.
UNICODES="U+20-7E,U+A0,U+AC,U+AF,U+B1,U+B7,U+D7,U+F7,U+131,U+237,U+2C6,U+2C7,U+2DC\
,U+302,U+303,U+304,U+305,U+307,U+308,U+30C,U+338,U+20D7\
,U+393,U+394,U+398,U+39B,U+39E,U+3A0,U+3A3,U+3A6,U+3A8,U+3A9,U+3B1-3C9,U+3D1,U+3D5,U+3F5\
,U+2013,U+2014,U+2016,U+2018,U+2019,U+2026,U+2032,U+2033,U+2061-2064,U+210E,U+2113,U+211D\
,U+2190-2194,U+21A6,U+21D2,U+21D4,U+2200,U+2202,U+2203,U+2205,U+2207-2209,U+2211,U+2212,U+2215,U+2218\
,U+221A,U+221D,U+221E,U+2225,U+2229,U+222A,U+222B,U+223C,U+2243,U+2245,U+2248,U+2260,U+2261,U+2264,U+2265\
,U+226A,U+226B,U+2282,U+2286,U+2295,U+2297,U+22A4,U+22A5,U+22C5,U+22EE-22F1,U+2308-230B,U+23DE,U+23DF\
,U+27E8,U+27E9,U+2A7D,U+2A7E,U+1D400-1D433,U+1D434-1D467,U+1D6A4,U+1D6A5,U+1D6E2-1D71B,U+1D7CE-1D7D7"
"$SUBSET" "$OTF" --output-file="$OUT" --flavor=woff2 --layout-features=kern,mark,mkmk --no-hinting \
  --drop-tables+=FFTM --unicodes="$UNICODES"
