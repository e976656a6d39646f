// A Raspberry Pi Pico: rp2040js with what it lacks of the board and of its surroundings, in emulated time only. Time is in
// nanoseconds since the emulator began, over all resets.
import { RP2040 } from 'rp2040js';
import { SimulationClock } from 'rp2040js/clock/simulation-clock.js';
import { attachCache } from './cache.mjs';
import { bendChip, bendWires } from './bent.mjs';
import { FLASH_SIZE, Registers, attachFlash } from './flash.mjs';
import { UsbHost } from './usb_host.mjs';

const PINS = 30;
const FIRST_ADC_PIN = 26;
// What rp2040js says of a GPIO that the chip drives low or high, or leaves to its pulls.
const DRIVEN_LOW = 0;
const DRIVEN_HIGH = 1;
const PULLED_UP = 3;
const PULLED_DOWN = 4;
const QUIET = { debug() {}, info() {}, warn() {}, error() {} };
const ADC_SAMPLE_NS = 2_000; // 96 cycles of 48 MHz
const ADC_MAX = 4095;
const ROOM = 888; // what its thermometer reads at 21 degrees Celsius
// The chip's pulls (RP2040 data sheet: 50 to 80 kohm).
const PULL_KOHM = 65;
// What is behind ADC0: kohm to ground, nF beside it. A bare pin picks up hum.
const CIRCUITS = {
  piezo: { kohm: 100, nF: 20 },
  resistor: { kohm: 100, nF: 1 },
  unbled: { kohm: Infinity, nF: 20 },
  open: { kohm: Infinity, nF: 0.01, hum: 600 },
};
const HUM_NS = 20_000_000; // mains, 50 Hz; the count of 600 is assumed
const KNOCK_ENDS_US = 50_000;
const WATCHDOG_TIMER = 1;
const WATCHDOG_LOAD = 0x04;

/** The ring oscillator, whose random bit MicroPython's `os.urandom` reads. */
class Oscillator extends Registers {
  constructor(mcu, random) {
    super(mcu, 'ROSC');
    this.random = random;
  }

  readUint32(offset) {
    if (offset === 0x1c) return (this.random() >>> 7) & 1;
    return offset === 0x18 ? 0x80001000 : super.readUint32(offset);
  }
}

/** Xorshift (Marsaglia, 2003), so that a seed gives the same run each time. */
function xorshift(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
}

export class Pico {
  constructor({ bootrom, flash, uid, seed, missCycles, inNs, outNs, eraseNs, programNs, counterNs, soldered, faults }) {
    this.bootrom = bootrom;
    this.kept = flash; // what the flash holds while nothing runs
    this.uid = uid;
    this.random = xorshift(seed);
    this.missCycles = missCycles;
    this.eraseNs = eraseNs;
    this.programNs = programNs;
    this.counterNs = counterNs; // where the chip's own timer starts at each boot
    this.host = new UsbHost(() => this.nowNs(), inNs, outNs);
    this.clock = new SimulationClock();
    this.beginNs = 0;
    this.powered = false;
    this.reset = null;
    this.wired = new Array(PINS).fill(null); // the level that something outside drives a pin to; null: nothing does
    this.levels = new Array(PINS).fill(0); // what a pin is at
    this.edges = []; // [time, pin, level or null] to come
    this.knocks = []; // [time, peak, rise us, decay us]
    this.readings = []; // [time, value] of ADC0 to come
    this.analog = [0, null, null, null, ROOM]; // null: the ADC reads the level that its pin is at
    this.circuit = CIRCUITS.piezo; // behind ADC0
    this.pulled = 0; // what the pulls of its pin add to what is there
    this.pulledNs = 0; // as of when
    this.driven = []; // [time, pin, level] that the chip drove
    this.spans = {}; // the longest that the chip drove a pin on end, in ns
    this.log = []; // [time, what happened]
    this.faults = faults;
    bendWires(this, soldered);
  }

  nowNs() {
    return this.beginNs + this.clock.nanos;
  }

  after(ns, act) {
    const clock = this.clock;
    clock.createAlarm(() => {
      if (clock === this.clock) act(); // else the chip was reset meanwhile
    }).schedule(ns);
  }

  /** Start the chip: `why` is 'power' or 'watchdog', which keeps the watchdog's registers. */
  boot(why) {
    const before = this.mcu?.peripherals[0x40058];
    this.keepFlash();
    this.beginNs = this.nowNs() - this.counterNs;
    this.clock = new SimulationClock();
    this.clock.nanosCounter = this.counterNs;
    const mcu = this.mcu = new RP2040(this.clock);
    mcu.logger = QUIET;
    for (const pio of mcu.pio) pio.run = () => {}; // `stepPio` does, in emulated time
    this.attachBoard(mcu);
    const watchdog = mcu.peripherals[0x40058];
    if (why === 'watchdog' && before) {
      watchdog.scratchData.set(before.scratchData);
      watchdog.reason = before.reason;
    }
    this.watchTurns(watchdog);
    watchdog.onWatchdogTrigger = () => {
      this.reset = 'watchdog';
      watchdog.alarm.enable = watchdog.timer.enable = false; // once fired, rp2040js fires on and on
      this.log.push([this.nowNs(), watchdog.reason === WATCHDOG_TIMER ? 'bitten' : 'reset']);
    };
    this.host.attach(mcu, (ns, act) => this.after(ns, act));
    mcu.core.reset();
    this.lastCycles = mcu.core.cycles;
    this.reset = null;
    this.powered = true;
    this.log.push([this.nowNs(), `boot ${why}`]);
    this.armEdges();
  }

  /** The firmware feeds its watchdog once a turn of its main loop: how long turns are, without the time asleep. */
  watchTurns(watchdog) {
    let beganNs = this.nowNs();
    this.asleepNs = 0;
    this.turns = { count: 0, busyNs: 0, worstNs: 0 };
    const write = watchdog.writeUint32.bind(watchdog);
    watchdog.writeUint32 = (offset, value) => {
      if (offset === WATCHDOG_LOAD) {
        const busyNs = this.nowNs() - beganNs - this.asleepNs;
        beganNs = this.nowNs();
        this.asleepNs = 0;
        this.turns.count++;
        this.turns.busyNs += busyNs;
        this.turns.worstNs = Math.max(this.turns.worstNs, busyNs);
      }
      write(offset, value);
    };
  }

  attachBoard(mcu) {
    mcu.bootrom.set(this.bootrom);
    mcu.flash.fill(0xff);
    mcu.flash.set(this.kept);
    attachFlash(mcu, this.uid, () => this.nowNs(), this.eraseNs, this.programNs);
    mcu.peripherals[0x40060] = new Oscillator(mcu, this.random);
    mcu.peripherals[0x40064] = new Registers(mcu, 'VREG', { 8: 0x100 });
    if (this.missCycles) attachCache(mcu, this.missCycles);
    for (let pin = 0; pin < PINS; pin++) {
      this.levels[pin] = this.levelOf(pin);
      mcu.gpio[pin].rawInputValue = Boolean(this.levels[pin]);
      let drivenSince = null;
      mcu.gpio[pin].addListener((state) => {
        if (state <= DRIVEN_HIGH) drivenSince ??= this.nowNs();
        else if (drivenSince !== null) {
          this.spans[pin] = Math.max(this.spans[pin] ?? 0, this.nowNs() - drivenSince);
          drivenSince = null;
        }
        if (state <= DRIVEN_HIGH) this.driven.push([this.nowNs(), pin, state]);
        this.settle(pin);
      });
    }
    mcu.pwm.reset(); // as the chip does before it runs: rp2040js lets no A output drive its pin else
    mcu.qspi[1].rawInputValue = true; // BOOTSEL is not held
    for (const pad of [...mcu.qspi, ...mcu.gpio]) pad.padValue |= 0x40; // input enabled, as after a real reset
    mcu.adc.onADCRead = (channel) => {
      mcu.adc.channelValues[channel] = this.analogValue(channel);
      mcu.adc.currentChannel = channel;
      mcu.adc.sampleAlarm.schedule(ADC_SAMPLE_NS);
    };
    bendChip(this, mcu);
  }

  keepFlash() {
    if (this.mcu) this.kept.set(this.mcu.flash.subarray(0, FLASH_SIZE));
  }

  cutPower() {
    this.keepFlash();
    this.beginNs = this.nowNs();
    this.clock = new SimulationClock();
    this.powered = false;
    this.mcu = null;
    this.host.detach();
    this.host.fromDevice = [];
  }

  // -- what is wired to it

  /** Drive a pin from outside; null lets go of it. */
  setPin(pin, level) {
    this.wired[pin] = level;
    this.settle(pin);
  }

  /** What a pin is at: what is wired to it is stronger than the chip's output, and that than its pulls. With none of
   * them, or with both pulls, it stays where it was. */
  levelOf(pin) {
    if (this.wired[pin] !== null) return this.wired[pin];
    const state = this.mcu?.gpio[pin].value;
    if (state === DRIVEN_HIGH || state === PULLED_UP) return 1;
    if (state === DRIVEN_LOW || state === PULLED_DOWN) return 0;
    return this.levels[pin];
  }

  settle(pin) {
    const level = this.levelOf(pin);
    if (this.levels[pin] === level) return;
    this.levels[pin] = level;
    this.mcu?.gpio[pin].setInputValue(Boolean(level));
  }

  schedule(edges) {
    this.edges.push(...edges);
    this.edges.sort((a, b) => a[0] - b[0]);
    if (this.powered) this.armEdges();
  }

  /** Flip a pin each `everyNs` from `fromNs` until `untilNs`: a wire that picks up something. */
  noise(pin, everyNs, fromNs, untilNs) {
    const clock = this.clock;
    const alarm = clock.createAlarm(() => {
      if (clock !== this.clock || this.nowNs() > untilNs) return;
      this.setPin(pin, 1 - this.levels[pin]);
      alarm.schedule(everyNs);
    });
    alarm.schedule(Math.max(0, fromNs - this.nowNs()));
  }

  armEdges() {
    this.edgeAlarm?.cancel();
    if (!this.edges.length) return;
    const clock = this.clock;
    this.edgeAlarm = clock.createAlarm(() => {
      if (clock !== this.clock) return;
      this.deliverEdges();
      this.armEdges();
    });
    this.edgeAlarm.schedule(Math.max(0, this.edges[0][0] - this.nowNs()));
  }

  deliverEdges() {
    while (this.edges.length && this.edges[0][0] <= this.nowNs() + 0.5) {
      const [, pin, level] = this.edges.shift();
      this.setPin(pin, level);
    }
  }

  setCircuit(name) {
    this.circuit = CIRCUITS[name];
  }

  /** What the pulls of ADC0's pin make of it: they charge what is behind, as quickly as that lets them. */
  pulledValue(now) {
    const state = this.mcu.gpio[FIRST_ADC_PIN].value;
    const isPulled = state === PULLED_UP || state === PULLED_DOWN;
    const { kohm, nF } = this.circuit;
    const conductance = (isPulled ? 1 / PULL_KOHM : 0) + 1 / kohm; // 1/kohm
    const end = state === PULLED_UP ? ADC_MAX / PULL_KOHM / conductance : 0;
    const us = (now - this.pulledNs) / 1000;
    if (conductance) this.pulled = end + (this.pulled - end) * Math.exp((-us * conductance) / nF);
    this.pulledNs = now;
    return this.pulled;
  }

  /** A bare pin follows the mains around it, above 0 only; a pull holds it. */
  humValue(now) {
    const state = this.mcu.gpio[FIRST_ADC_PIN].value;
    if (!this.circuit.hum || state === PULLED_UP || state === PULLED_DOWN) return 0;
    return Math.max(0, this.circuit.hum * Math.sin((2 * Math.PI * now) / HUM_NS));
  }

  /** On ADC0 the readings that were given, and knocks: a linear rise and an exponential decay, as a damped piezo behind its rectifier. */
  analogValue(channel) {
    if (channel !== 0) return this.analog[channel] ?? this.levels[FIRST_ADC_PIN + channel] * ADC_MAX;
    const now = this.nowNs();
    while (this.readings.length && this.readings[0][0] <= now) this.analog[0] = this.readings.shift()[1];
    let value = this.analog[0] + this.pulledValue(now) + this.humValue(now);
    this.knocks = this.knocks.filter(([at]) => now - at < KNOCK_ENDS_US * 1000);
    for (const [at, peak, rise, decay] of this.knocks) {
      const us = (now - at) / 1000;
      if (us >= 0) value += us < rise ? (peak * us) / rise : peak * Math.exp((rise - us) / decay);
    }
    return Math.max(0, Math.min(ADC_MAX, Math.round(value)));
  }

  // -- time

  /** rp2040js steps its state machines from a timer of its own and knows no clock divider. */
  stepPio(toNs, cycleNs) {
    for (const pio of this.mcu.pio) {
      let any = false;
      for (const machine of pio.machines) {
        if (!machine.enabled) {
          machine.dueNs = undefined;
          continue;
        }
        any = true;
        const stepNs = ((machine.clockDivInt || 65536) + machine.clockDivFrac / 256) * cycleNs;
        machine.dueNs ??= toNs;
        for (; machine.dueNs <= toNs; machine.dueNs += stepNs) machine.step();
      }
      if (any) pio.checkChangedPins();
    }
  }

  /** Let alarms happen up to an instant that none of them is before. The sum of two differences may round to just before
   * it, for ever. */
  tickTo(ns) {
    this.clock.nanosCounter = ns;
    this.clock.tick(0);
  }

  run(ns) {
    const endNs = this.nowNs() + ns;
    while (this.nowNs() < endNs) {
      if (this.reset) this.boot(this.reset);
      if (!this.powered) {
        this.clock.tick(endNs - this.nowNs());
        this.deliverEdges();
        return;
      }
      this.execute(endNs - this.beginNs);
    }
  }

  /** Run until `end` on the chip's own clock, or a reset. */
  execute(end) {
    const { mcu, clock } = this;
    const { core } = mcu;
    do {
      const cycleNs = 1e9 / mcu.clkSys;
      for (let i = 0; i < 20_000; i++) {
        if (core.waiting) {
          const alarm = clock.nextAlarm;
          const wake = alarm && alarm.nanos < end ? alarm.nanos : end;
          this.stepPio(wake, cycleNs);
          this.asleepNs += wake - clock.nanosCounter;
          this.tickTo(wake);
          if (core.interruptsUpdated && core.checkForInterrupts()) core.waiting = false;
        } else {
          core.executeInstruction();
          const now = clock.nanosCounter + (core.cycles - this.lastCycles) * cycleNs;
          this.lastCycles = core.cycles;
          let due = clock.nextAlarm;
          // What happens meanwhile happens before what the state machines see of it.
          while (due !== null && due.nanos <= now) {
            this.stepPio(due.nanos, cycleNs);
            this.tickTo(due.nanos);
            due = clock.nextAlarm;
          }
          this.stepPio(now, cycleNs);
          clock.nanosCounter = now;
        }
        if (clock.nanosCounter >= end || this.reset) return;
      }
    } while (clock.nanosCounter < end);
  }
}
