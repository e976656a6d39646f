// A computer at the Pico's USB port: it enumerates the device, opens its serial port (CDC), and moves bulk packets when the
// device has made a buffer available, a while later each time. What the device has not made available is a NAK.
const AVAILABLE = 0x400;
const FULL = 0x8000;
const STALL = 0x800;
const CONTROL_NS = 20_000;
const ENUMERATE_AFTER_NS = 2_000_000;
const FRAME_NS = 1_000_000;
const SOF_RD = 0x48;
const START_OF_FRAME = 1 << 17;
const SETUP_BUFFER = 0x100;
const BUFFER_CONTROL = 0x80;
const PACKET = 64;
const FROM_DEVICE = 0x80;
const CLASS_TO_INTERFACE = 0x21;
const [GET_DESCRIPTOR, SET_ADDRESS, SET_CONFIGURATION] = [6, 5, 9];
const [SET_LINE_CODING, SET_CONTROL_LINE_STATE] = [0x20, 0x22];
const [DEVICE, CONFIGURATION, INTERFACE, ENDPOINT] = [1, 2, 4, 5];
const CDC_DATA = 10;
const BULK = 2;
const BAUD_115200 = [0x00, 0xc2, 0x01, 0x00, 0, 0, 8];

const request = (type, code, value, index, length) =>
  [type, code, value & 255, value >> 8, index & 255, index >> 8, length & 255, length >> 8];

export class UsbHost {
  /** `inNs`, `outNs`: how long a packet takes from and to the device once both sides are ready for it. */
  constructor(nowNs, inNs, outNs) {
    this.nowNs = nowNs;
    this.inNs = inNs;
    this.outNs = outNs;
    this.isOpen = false;
    this.reading = true;
    this.toDevice = [];
    this.fromDevice = [];
    this.packets = []; // [time, length] of each packet read
    this.detach();
  }

  /** The device is there anew; `after(ns, f)` calls back in its time. */
  attach(mcu, after) {
    this.detach();
    this.mcu = mcu;
    this.usb = mcu.usbCtrl;
    this.after = after;
    let resetting = false;
    const write = this.usb.writeUint32.bind(this.usb);
    this.usb.writeUint32 = (offset, value) => {
      if (offset === 0x50) { // SIE_STATUS: rp2040js does not let go of the bit "suspended"
        resetting = Boolean(this.usb.sieStatus & (1 << 19));
        if (this.usb.rawWriteValue & 0x10) this.usb.sieStatus &= ~0x10;
      }
      write(offset, value);
    };
    const read = this.usb.readUint32.bind(this.usb);
    this.usb.readUint32 = (offset) => {
      if (offset === SOF_RD) {
        this.usb.intRaw &= ~START_OF_FRAME;
        this.usb.checkInterrupts();
      }
      return read(offset);
    };
    this.beginFrame();
    this.usb.DPRAMUpdated = (offset, value) => this.bufferAvailable(offset, value);
    this.usb.onUSBEnabled = () => this.usb.resetDevice();
    this.usb.onResetReceived = () => {
      if (!resetting) return;
      this.forget();
      this.after(ENUMERATE_AFTER_NS, () => this.enumerate());
    };
  }

  /** Each millisecond a start of frame: late in a frame TinyUSB holds what it sends back until the next (RP2040-E15). */
  beginFrame() {
    this.after(FRAME_NS, () => {
      this.beginFrame();
      if (!this.ready || this.suspended) return;
      this.usb.sofFrameNumber++;
      this.usb.intRaw |= START_OF_FRAME;
      this.usb.checkInterrupts();
    });
  }

  detach() {
    this.suspended = false;
    this.packets = [];
    this.forget();
  }

  forget() {
    this.ready = false;
    this.requests = [];
    this.current = null;
    this.inEndpoint = this.outEndpoint = -1;
    this.inBuffers = 0;
    this.outBuffer = null;
    this.inBusy = this.outBusy = false;
    this.toDevice = [];
  }

  send(bytes) {
    this.toDevice.push(...bytes);
    this.pushOut();
  }

  read() {
    const [bytes, packets] = [this.fromDevice, this.packets];
    this.fromDevice = [];
    this.packets = [];
    return { bytes, packets };
  }

  open() {
    this.isOpen = true;
    if (!this.ready) return;
    this.ask(request(CLASS_TO_INTERFACE, SET_LINE_CODING, 0, 0, 7), null, BAUD_115200);
    this.ask(request(CLASS_TO_INTERFACE, SET_CONTROL_LINE_STATE, 3, 0, 0), () => this.pullIn()); // DTR and RTS
  }

  close() {
    this.isOpen = false;
    if (this.ready) this.ask(request(CLASS_TO_INTERFACE, SET_CONTROL_LINE_STATE, 0, 0, 0));
  }

  setReading(on) {
    this.reading = on;
    this.pullIn();
  }

  suspend(on) {
    this.suspended = on;
    this.usb.sieStatus |= on ? 0x10 : 1 << 11;
    this.usb.sieStatusUpdated();
    if (!on) {
      this.pullIn();
      this.pushOut();
    }
  }

  resetBus() {
    this.forget();
    this.usb.sieStatus |= 1 << 19;
    this.usb.sieStatusUpdated();
  }

  // -- control transfers, one at a time

  ask(setup, done = null, data = null) {
    this.requests.push({ setup, done, data, received: [] });
    this.nextRequest();
  }

  nextRequest() {
    if (this.current || !this.requests.length) return;
    const one = this.current = this.requests.shift();
    this.after(CONTROL_NS, () => {
      if (this.current !== one) return;
      one.stage = one.setup[0] & FROM_DEVICE ? 'in' : one.data ? 'out' : 'status in';
      this.usb.sendSetupPacket(Uint8Array.from(one.setup));
    });
  }

  finishRequest(stalled) {
    const one = this.current;
    this.current = null;
    one.done?.(stalled ? null : Uint8Array.from(one.received));
    this.nextRequest();
  }

  enumerate() {
    const descriptor = (type, index, length, done) => this.ask(
      request(FROM_DEVICE, GET_DESCRIPTOR, (type << 8) | index, 0, length), done);
    descriptor(DEVICE, 0, PACKET, () => this.ask(request(0, SET_ADDRESS, 7, 0, 0), () =>
      descriptor(CONFIGURATION, 0, 9, (head) => descriptor(CONFIGURATION, 0, head[2] | (head[3] << 8), (whole) => {
        this.findEndpoints(whole);
        this.ask(request(0, SET_CONFIGURATION, 1, 0, 0), () => {
          this.ready = true;
          if (this.isOpen) this.open();
          this.pushOut();
        });
      }))));
  }

  findEndpoints(configuration) {
    let isData = false;
    for (let i = 0; i < configuration.length; i += configuration[i]) {
      const [, type, address, attributes] = configuration.subarray(i);
      if (type === INTERFACE) isData = configuration[i + 5] === CDC_DATA;
      if (type !== ENDPOINT || !isData || (attributes & 3) !== BULK) continue;
      if (address & FROM_DEVICE) this.inEndpoint = address & 15;
      else this.outEndpoint = address & 15;
    }
  }

  // -- what the device makes available

  bufferAvailable(offset, value) {
    if (offset < BUFFER_CONTROL || offset > 0xfc) return;
    const endpoint = (offset - BUFFER_CONTROL) >> 3;
    const isOut = Boolean(offset & 4);
    if (endpoint === 0 && value & STALL) {
      const one = this.current;
      if (one && !one.stalled) {
        one.stalled = true;
        this.after(CONTROL_NS, () => this.current === one && this.finishRequest(true));
      }
    } else if (!(value & (AVAILABLE | (AVAILABLE << 16)))) return;
    else if (endpoint === 0) this.control(isOut, value & 0x3ff);
    else if (isOut) {
      this.outBuffer = { endpoint, size: value & 0x3ff };
      this.pushOut();
    } else if (endpoint === this.inEndpoint) {
      this.inBuffers = value;
      this.pullIn();
    }
  }

  control(isOut, length) {
    const one = this.current;
    if (!one) return;
    this.after(CONTROL_NS, () => {
      if (this.current !== one) return;
      if (!isOut) this.controlIn(one, length);
      else if (one.stage === 'out') {
        this.mcu.usbDPRAM.set(one.data, SETUP_BUFFER);
        this.complete(0, true, one.data.length);
        one.stage = 'status in';
        this.usb.indicateBufferReady(0, true);
      } else {
        this.complete(0, true, 0);
        this.usb.indicateBufferReady(0, true);
        this.finishRequest(false);
      }
    });
  }

  controlIn(one, length) {
    const data = this.mcu.usbDPRAM.slice(SETUP_BUFFER, SETUP_BUFFER + length);
    this.complete(0, false, 0, AVAILABLE | FULL);
    this.usb.indicateBufferReady(0, false);
    if (one.stage !== 'in') {
      this.finishRequest(false);
      return;
    }
    one.received.push(...data);
    const wanted = one.setup[6] | (one.setup[7] << 8);
    if (length < PACKET || one.received.length >= wanted) one.stage = 'status out';
  }

  /** What the controller does with a buffer that has been moved. */
  complete(endpoint, isOut, length, mask = 0) {
    const at = BUFFER_CONTROL + endpoint * 8 + (isOut ? 4 : 0);
    const view = this.mcu.usbDPRAMView;
    const value = view.getUint32(at, true);
    view.setUint32(at, (isOut ? (value & ~(AVAILABLE | 0x3ff)) | FULL | length : value & ~mask) >>> 0, true);
  }

  pullIn() {
    if (!this.inBuffers || this.inBusy || !this.reading || !this.isOpen || this.suspended) return;
    this.inBusy = true;
    this.after(this.inNs, () => {
      this.inBusy = false;
      const buffers = this.inBuffers;
      if (!buffers) return;
      this.inBuffers = 0;
      const start = this.usb.readEndpointControlReg(this.inEndpoint, false) & 0xffc0;
      let moved = 0;
      for (const half of [0, 1]) {
        if (!(buffers & (AVAILABLE << (16 * half)))) continue;
        const length = (buffers >>> (16 * half)) & 0x3ff;
        const at = start + PACKET * half;
        this.fromDevice.push(...this.mcu.usbDPRAM.subarray(at, at + length));
        this.packets.push([this.nowNs(), length]);
        moved |= (AVAILABLE | FULL) << (16 * half);
      }
      this.complete(this.inEndpoint, false, 0, moved);
      this.usb.indicateBufferReady(this.inEndpoint, false);
    });
  }

  pushOut() {
    if (this.outBuffer?.endpoint !== this.outEndpoint || !this.toDevice.length || this.outBusy || this.suspended) return;
    this.outBusy = true;
    this.after(this.outNs, () => {
      this.outBusy = false;
      if (!this.outBuffer || !this.toDevice.length) return;
      const { endpoint, size } = this.outBuffer;
      const data = this.toDevice.splice(0, Math.min(size, PACKET));
      this.outBuffer = null;
      this.mcu.usbDPRAM.set(data, this.usb.readEndpointControlReg(endpoint, true) & 0xffc0);
      this.complete(endpoint, true, data.length);
      this.usb.indicateBufferReady(endpoint, true);
    });
  }
}
