# Uses the bundle in a root without Python, as `try_bundle.py` prepared it: $1 is the folder of the bundle.
set -eu
BUNDLE=$1
PROGRAM="$BUNDLE/rigscope"
SAMPLES="$BUNDLE/lib/viewer/assets"
MODEL="$SAMPLES/urho3d/Models/Beacon.mdl"
export HOME=/home/one LANG=C
mkdir -p /home/one /home/two /out
cd /out

say() { echo "try_bundle: $*"; }
fail() { say "FAILED: $*"; exit 1; }

if command -v python3 python; then fail "there is a Python here"; fi
found=$(find / -xdev -name 'python3*' -type f -not -path "$BUNDLE/*")
[ -z "$found" ] || fail "there is a Python here: $found"
say "no Python in this root"

"$PROGRAM" --version
ln -sf "$PROGRAM" /usr/bin/rigscope
(cd / && rigscope --version) || fail "started through a link"
if touch "$BUNDLE/written" 2>/dev/null; then fail "the folder is not read-only"; fi
say "starts from a read-only folder, a path with spaces and letters of other scripts, and through a link"

"$PROGRAM" render "$MODEL" -o picture.png --size 400x300 --animation Beacon_Dance --time 0.3
"$PROGRAM" render "$MODEL" -o film.mp4 --size 160x120 --animation Beacon_Dance
"$PROGRAM" thumbs "$SAMPLES" -o page.html --jobs 2 --force >thumbs.txt
"$PROGRAM" help start >help.txt
say "picture, film, gallery with two workers and manual written"

"$PROGRAM" families >families.txt 2>families-said.txt
"$PROGRAM" info figure.iqm --json >figure.json 2>/dev/null
"$PROGRAM" render figure.iqm -o figure.png --size 64x64 2>plugin-said.txt
grep -q "made-broken" families-said.txt plugin-said.txt || fail "the broken plugin is not named"
say "the plugin opens its file, and the broken plugin beside it is named"

HOME=/home/two "$PROGRAM" thumbs "$SAMPLES" -o two.html --jobs 2 --force >/dev/null &
other=$!
"$PROGRAM" thumbs "$SAMPLES" -o one.html --jobs 2 --force --no-cache >/dev/null 2>&1 || \
    "$PROGRAM" thumbs "$SAMPLES" -o one.html --jobs 2 --force >/dev/null
wait $other || fail "two users at once"
say "two users at once"

mkdir -p /tmp/full
mount -t tmpfs -o size=4k none /tmp/full
yes >/tmp/full/filled 2>/dev/null || true
TMPDIR=/tmp/full "$PROGRAM" render "$MODEL" -o full.png --size 64x64
TMPDIR=/tmp/full "$PROGRAM" thumbs "$SAMPLES" -o full.html --jobs 2 --force >/dev/null
umount /tmp/full
say "a full temporary folder"

"$PROGRAM" integrate >integrated.txt
grep -qF "$BUNDLE/rigscope" /home/one/.local/share/applications/rigscope.desktop || \
    grep -qF /usr/bin/rigscope /home/one/.local/share/applications/rigscope.desktop || \
    fail "the desktop entry does not name the bundle"
grep Exec /home/one/.local/share/applications/rigscope.desktop
say "integrated"

Xvfb :77 -screen 0 1280x800x24 -fbdir /out -nolisten tcp >/dev/null 2>&1 &
server=$!
export DISPLAY=:77
sleep 2
"$PROGRAM" "$MODEL" &
window=$!
xdotool search --sync --onlyvisible --name Beacon >/dev/null
sleep 10
cp Xvfb_screen0 window.xwd
xdotool key F1
sleep 5
cp Xvfb_screen0 manual.xwd
kill -0 $window || fail "the window ended"
xdotool key ctrl+q
wait $window || fail "the window ended with $?"
kill $server
say "the window opens the sample and the manual"

mkdir /gone
mv /usr/lib/*/libEGL* /usr/lib/*/libGL* /usr/lib/*/libOpenGL* /gone 2>/dev/null || true
unset DISPLAY
status=0
"$PROGRAM" render "$MODEL" -o none.png 2>none.txt || status=$?
cat none.txt
[ $status = 3 ] || fail "without OpenGL the status is $status instead of 3"
"$PROGRAM" info "$MODEL" >/dev/null || fail "info needs OpenGL"
say "without OpenGL: status 3"
