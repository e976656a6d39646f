// A Raspberry Pi Pico: rp2040js with what it lacks of the board and of its surroundings, in emulated time only. Time is in
// nanoseconds since the emulator began, over all resets.
import { RP2040 } from 'rp2040js';
import { SimulationClock } from 'rp2040js/clock/simulation-clock.js';
import { attachCache } from './cache.mjs';
import { FLASH_SIZE, Registers, attachFlash } from './flash.mjs';
import { UsbHost } from './usb_host.mjs';

const PINS = 30;
const QUIET = { debug() {}, info() {}, warn() {}, error() {} };
const ADC_SAMPLE_NS = 2_000; // 96 cycles of 48 MHz
const ADC_MAX = 4095;
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
  constructor({ bootrom, flash, uid, seed, missCycles, inNs, outNs, eraseNs, programNs, counterNs }) {
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
    this.levels = new Array(PINS).fill(0);
    this.edges = []; // [time, pin, level] to come
    this.knocks = []; // [time, peak, rise us, decay us]
    this.readings = []; // [time, value] of ADC0 to come
    this.analog = [0, 0, 0, 0, 0];
    this.driven = []; // [time, pin, level] that the chip drove
    this.log = []; // [time, what happened]
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
      mcu.gpio[pin].rawInputValue = Boolean(this.levels[pin]);
      mcu.gpio[pin].addListener((state) => {
        if (state < 2) this.driven.push([this.nowNs(), pin, state]);
      });
    }
    mcu.qspi[1].rawInputValue = true; // BOOTSEL is not held
    for (const pad of [...mcu.qspi, ...mcu.gpio]) pad.padValue |= 0x40; // input enabled, as after a real reset
    mcu.adc.onADCRead = (channel) => {
      mcu.adc.channelValues[channel] = this.analogValue(channel);
      mcu.adc.currentChannel = channel;
      mcu.adc.sampleAlarm.schedule(ADC_SAMPLE_NS);
    };
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

  setPin(pin, level) {
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

  /** On ADC0 the readings that were given, and knocks: a linear rise and an exponential decay, as a damped piezo behind its rectifier. */
  analogValue(channel) {
    if (channel !== 0) return this.analog[channel] ?? 0;
    const now = this.nowNs();
    while (this.readings.length && this.readings[0][0] <= now) this.analog[0] = this.readings.shift()[1];
    let value = this.analog[0];
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
          clock.tick(wake - clock.nanosCounter);
          if (core.interruptsUpdated && core.checkForInterrupts()) core.waiting = false;
        } else {
          core.executeInstruction();
          const now = clock.nanosCounter + (core.cycles - this.lastCycles) * cycleNs;
          this.lastCycles = core.cycles;
          this.stepPio(now, cycleNs);
          const due = clock.nextAlarm;
          if (due !== null && due.nanos <= now) clock.tick(now - clock.nanosCounter);
          else clock.nanosCounter = now;
        }
        if (clock.nanosCounter >= end || this.reset) return;
      }
    } while (clock.nanosCounter < end);
  }
}
