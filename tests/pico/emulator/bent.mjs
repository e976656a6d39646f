// What is wrong with one chip, and what is soldered to its pins, so that a check can be seen to fail. Faults, by name:
//   stamp_us: [n, us]      each n-th word of the timer that DMA fetches is off by so much
//   slow_ns: {pin: ns}     a pin shows its level so much later
//   deaf_override: true    the override of a pin's input does nothing
//   adc_ppm: ppm           the ADC takes so much longer from one sample to the next
//   adc_noise: counts      each sample is off by up to so much
//   coupled: [[from, to]]  a pin that the chip drives pulls another one down for 2 us
//   filtered: [from, to, bend]  the ADC at a pin reads the duty of another one's PWM, in the middle off by so much
//   one_reason: reason     the watchdog always gives this reason
const FIRST_ADC_PIN = 26;
const TIMERAWL = 0x40054028;
const REASON = 0x08;
const COUPLED_NS = 2_000;
const DRIVEN_HIGH = 1;
const PULLED_UP = 3;
const INNER_OHMS = 50_000; // data sheet: 50 to 80 kohm
const THRESHOLD = 0.5; // of 3.3 V, where an input turns

/** Put resistors and capacitors on the wires, and let slow pins be slow. */
export function bendWires(pico, soldered) {
  const slow = pico.faults.slow_ns ?? {};
  const pins = Object.keys({ ...soldered, ...slow }).map(Number);
  if (!pins.length) return;
  const levelOf = pico.levelOf.bind(pico);
  const settle = pico.settle.bind(pico);
  const changes = {};
  pico.levelOf = (pin) => {
    const isLeft = pico.wired[pin] === null && !(pico.mcu?.gpio[pin].value <= DRIVEN_HIGH);
    return isLeft && soldered[pin]?.[0] ? 1 : levelOf(pin);
  };
  pico.settle = (pin) => {
    const change = changes[pin] = (changes[pin] ?? 0) + 1;
    const ns = pins.includes(pin) ? (slow[pin] ?? 0) + chargeNs(pico, pin, soldered[pin]) : 0;
    if (!ns) return settle(pin);
    pico.after(ns, () => { if (change === changes[pin]) settle(pin); });
  };
}

/** How long the capacitor takes until the input turns; 0 while something drives the pin. */
function chargeNs(pico, pin, part) {
  const state = pico.mcu?.gpio[pin].value;
  if (!part || pico.wired[pin] !== null || state <= DRIVEN_HIGH) return 0;
  const [ohms, nF] = part;
  const siemens = (ohms ? 1 / ohms : 0) + (state >= PULLED_UP ? 1 / INNER_OHMS : 0);
  return siemens ? -Math.log(1 - THRESHOLD) * nF / siemens : 0;
}

/** Break the chip itself, after each reset. */
export function bendChip(pico, mcu) {
  const { faults } = pico;
  if (faults.stamp_us) bendStamps(mcu, ...faults.stamp_us);
  if (faults.deaf_override) {
    for (const pin of mcu.gpio) {
      Object.defineProperty(pin, 'inputValue', { get() { return this.rawInputValue && this.inputEnable; } });
    }
  }
  if (faults.adc_ppm) {
    const alarm = mcu.adc.multiShotAlarm;
    const schedule = alarm.schedule.bind(alarm);
    alarm.schedule = (ns) => schedule(ns * (1 + faults.adc_ppm / 1e6));
  }
  if (faults.adc_noise) {
    const read = mcu.adc.onADCRead;
    mcu.adc.onADCRead = (channel) => {
      read(channel);
      const off = pico.random() % (2 * faults.adc_noise + 1) - faults.adc_noise;
      mcu.adc.channelValues[channel] = Math.max(0, Math.min(4095, mcu.adc.channelValues[channel] + off));
    };
  }
  if (faults.filtered) {
    const [from, to, bend] = faults.filtered;
    const read = mcu.adc.onADCRead;
    mcu.adc.onADCRead = (channel) => {
      read(channel);
      if (channel !== to - FIRST_ADC_PIN) return;
      const pwm = mcu.pwm.channels[(from >> 1) & 7];
      const duty = Math.min(1, ((pwm.cc >>> (16 * (from & 1))) & 0xffff) / (pwm.top + 1));
      mcu.adc.channelValues[channel] = Math.round(4095 * duty + 4 * bend * duty * (1 - duty));
    };
  }
  for (const [from, to] of faults.coupled ?? []) {
    mcu.gpio[from].addListener((state) => {
      if (state > DRIVEN_HIGH || !pico.powered) return;
      pico.setPin(to, 0);
      pico.after(COUPLED_NS, () => pico.setPin(to, null));
    });
  }
  if (faults.one_reason) {
    const watchdog = mcu.peripherals[0x40058];
    const read = watchdog.readUint32.bind(watchdog);
    watchdog.readUint32 = (offset) => (offset === REASON ? faults.one_reason : read(offset));
  }
}

function bendStamps(mcu, every, us) {
  let count = 0;
  for (const channel of mcu.dma.channels) {
    channel.transfer32 = () => {
      let word = mcu.readUint32(channel.readAddr);
      if (channel.readAddr === TIMERAWL && ++count % every === 0) word = (word + us) >>> 0;
      mcu.writeUint32(channel.writeAddr, word);
    };
  }
}
