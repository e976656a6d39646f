// The emulated Pico as a process: an order as one line of JSON on stdin, its answer as one line on stdout. Nothing happens
// between two orders. `emulated.py` is its other side.
import fs from 'node:fs';
import { FLASH_SIZE } from './flash.mjs';
import { Pico } from './pico.mjs';

console.log = console.warn = console.error = () => {}; // stdout is the answers'
const UF2_BLOCK = 512;
const FLASH_START = 0x10000000;

function flashOf(image, saved) {
  const flash = new Uint8Array(FLASH_SIZE).fill(0xff);
  const uf2 = fs.readFileSync(image);
  for (let at = 0; at + UF2_BLOCK <= uf2.length; at += UF2_BLOCK) {
    const length = uf2.readUInt32LE(at + 16);
    flash.set(uf2.subarray(at + 32, at + 32 + length), uf2.readUInt32LE(at + 12) - FLASH_START);
  }
  if (saved) flash.set(fs.readFileSync(saved));
  return flash;
}

function wordsOf(path) {
  const bytes = fs.readFileSync(path);
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

const given = JSON.parse(process.argv[2]);
const pico = new Pico({
  bootrom: wordsOf(given.bootrom),
  flash: flashOf(given.image, given.flash),
  uid: Uint8Array.from(Buffer.from(given.uid, 'hex')),
  seed: given.seed,
  missCycles: given.miss_cycles,
  counterNs: given.counter_us * 1000,
  inNs: given.in_us * 1000,
  outNs: given.out_us * 1000,
  eraseNs: 45_000_000, // typical, data sheet of the W25Q16JV
  programNs: 400_000,
  soldered: given.soldered,
  faults: given.faults,
});

const orders = {
  boot() {
    pico.boot('power');
  },
  /** Let `us` pass, or less: with `step_us`, until the board has said something. */
  run({ us, step_us, tx, edges, knocks, readings }) {
    if (tx) pico.host.send(Buffer.from(tx, 'hex'));
    if (edges) pico.schedule(edges);
    if (knocks) pico.knocks.push(...knocks);
    if (readings?.length) pico.readings = [...pico.readings, ...readings].sort((a, b) => a[0] - b[0]);
    const end = pico.nowNs() + us * 1000;
    if (step_us) while (pico.nowNs() < end && !pico.host.fromDevice.length) pico.run(step_us * 1000);
    else pico.run(us * 1000);
    const { bytes, packets } = pico.host.read();
    return { rx: Buffer.from(bytes).toString('hex'), packets, unsent: pico.host.toDevice.length };
  },
  open: () => pico.host.open(),
  close: () => pico.host.close(),
  reading: ({ on }) => pico.host.setReading(on),
  suspend: ({ on }) => pico.host.suspend(on),
  reset_bus: () => pico.host.resetBus(),
  power: ({ on }) => (on ? pico.boot('power') : pico.cutPower()),
  pin: ({ pin, level }) => pico.setPin(pin, level),
  noise: ({ pin, every_ns, from_ns, until_ns }) => pico.noise(pin, every_ns, from_ns, until_ns),
  analog: ({ channel, value }) => { pico.analog[channel] = value; },
  /** The longest that the chip drove each pin on end since this was asked last, in ns. */
  spans() {
    const spans = pico.spans;
    pico.spans = {};
    return { spans };
  },
  circuit: ({ name }) => pico.setCircuit(name),
  /** The turns of the firmware's main loop since this was asked last. */
  turns() {
    const { count, busyNs, worstNs } = pico.turns;
    pico.turns = { count: 0, busyNs: 0, worstNs: 0 };
    return { count, busyNs, worstNs };
  },
  save({ path }) {
    pico.keepFlash();
    fs.writeFileSync(path, pico.kept);
  },
  /** Where the core is after each of `count` steps of `ns`: a profile. */
  profile({ count, ns }) {
    const counts = {};
    for (let i = 0; i < count; i++) {
      pico.run(ns);
      const at = pico.mcu.core.PC >>> 0;
      counts[at] = (counts[at] ?? 0) + 1;
    }
    return { counts };
  },
};

function obey(order) {
  const answer = orders[order.op](order) ?? {};
  const news = { driven: pico.driven, log: pico.log };
  pico.driven = [];
  pico.log = [];
  return { ...answer, ...news, ns: pico.nowNs(), ready: pico.host.ready };
}

/** Write all of it: a pipe takes no more at once than it has room for. */
function say(text) {
  for (let rest = Buffer.from(text); rest.length;) {
    try {
      rest = rest.subarray(fs.writeSync(1, rest));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

function* lines() {
  const chunk = Buffer.alloc(1 << 16);
  for (let rest = '', length; (length = fs.readSync(0, chunk)) > 0;) {
    const parts = (rest + chunk.toString('utf8', 0, length)).split('\n');
    rest = parts.pop();
    yield* parts;
  }
}

for (const line of lines()) {
  let answer;
  try {
    answer = obey(JSON.parse(line));
  } catch (error) {
    answer = { error: String(error.stack) };
  }
  say(`${JSON.stringify(answer)}\n`);
}
