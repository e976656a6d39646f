// The Pico's flash chip (a Winbond W25Q16) behind the chip's SSI controller, so that the boot ROM's own routines read, erase
// and program it. Commands: data sheet of the W25Q16JV, chapter 8.
import { BasePeripheral } from 'rp2040js/peripherals/peripheral.js';

export const FLASH_SIZE = 2 << 20;
const WRITE_ENABLE = 0x06;
const WRITE_DISABLE = 0x04;
const READ_STATUS = 0x05;
const READ_STATUS_2 = 0x35;
const READ_JEDEC_ID = 0x9f;
const READ_UNIQUE_ID = 0x4b;
const READ = 0x03;
const PROGRAM = 0x02;
const ERASED = new Map([[0x20, 4096], [0x52, 32768], [0xd8, 65536]]);
const JEDEC_ID = [0xef, 0x40, 0x15];

/** Registers without any behaviour: what is written is read. */
export class Registers extends BasePeripheral {
  constructor(mcu, name, values = {}) {
    super(mcu, name);
    this.values = values;
  }

  readUint32(offset) {
    return this.values[offset] ?? 0;
  }

  writeUint32(offset, value) {
    this.values[offset] = value >>> 0;
  }
}

/** The chip itself: `byte` exchanges one byte, `deselect` ends a command. */
class FlashChip {
  constructor(memory, uid, nowNs, eraseNs, programNs) {
    this.memory = memory;
    this.uid = uid;
    this.nowNs = nowNs;
    this.eraseNs = eraseNs;
    this.programNs = programNs;
    this.writable = false;
    this.busyUntilNs = 0;
    this.begin();
  }

  begin() {
    this.command = -1;
    this.count = 0;
    this.address = 0;
    this.page = [];
  }

  deselect() {
    const sector = ERASED.get(this.command);
    if (this.writable && this.command === PROGRAM) this.program();
    else if (this.writable && sector !== undefined && this.count >= 4) this.erase(sector);
    this.begin();
  }

  program() {
    for (let i = 0; i < this.page.length; i++) {
      const at = ((this.address & ~255) | ((this.address + i) & 255)) & (FLASH_SIZE - 1);
      this.memory[at] &= this.page[i];
    }
    this.busyUntilNs = this.nowNs() + this.programNs;
    this.writable = false;
  }

  erase(size) {
    const at = this.address & ~(size - 1) & (FLASH_SIZE - 1);
    this.memory.fill(0xff, at, at + size);
    this.busyUntilNs = this.nowNs() + this.eraseNs * (size === 4096 ? 1 : 3);
    this.writable = false;
  }

  byte(value) {
    const index = this.count++;
    if (index === 0) {
      this.command = value;
      if (value === WRITE_ENABLE) this.writable = true;
      if (value === WRITE_DISABLE) this.writable = false;
      return 0;
    }
    switch (this.command) {
      case READ_STATUS: return (this.nowNs() < this.busyUntilNs ? 1 : 0) | (this.writable ? 2 : 0);
      case READ_STATUS_2: return 2; // quad enabled
      case READ_JEDEC_ID: return JEDEC_ID[index - 1] ?? 0;
      case READ_UNIQUE_ID: return index >= 5 ? this.uid[(index - 5) & 7] : 0;
    }
    if (index <= 3) this.address = (this.address << 8) | value;
    else if (this.command === READ) return this.memory[this.address++ & (FLASH_SIZE - 1)];
    else if (this.command === PROGRAM) this.page.push(value);
    return 0;
  }
}

const SELECT_AUTO = 0;
const SELECT_LOW = 2;
const SELECT_HIGH = 3;

/** The SSI as far as the boot ROM and MicroPython use it: FIFO level, status, data. */
class FlashController extends Registers {
  constructor(mcu, chip) {
    super(mcu, 'SSI', { 0x58: 0x51535049, 0x5c: 0x3430312a });
    this.chip = chip;
    this.received = [];
    this.override = SELECT_AUTO;
  }

  select(override) {
    if (override === this.override) return;
    this.override = override;
    this.chip.deselect();
  }

  idle() {
    if (this.override !== SELECT_LOW) this.chip.deselect();
  }

  readUint32(offset) {
    switch (offset) {
      case 0x60: return this.received.length ? this.received.shift() : 0; // DR0
      case 0x28: this.idle(); return 6 | (this.received.length ? 8 : 0); // SR
      case 0x20: return 0; // TXFLR
      case 0x24: return this.received.length; // RXFLR
    }
    return super.readUint32(offset);
  }

  writeUint32(offset, value) {
    if (offset === 0x60) {
      if (this.received.length < 16) this.received.push(this.override === SELECT_HIGH ? 0 : this.chip.byte(value & 255));
      return;
    }
    if (offset === 0x08 && !(value & 1)) { // SSIENR
      this.received = [];
      this.idle();
    }
    super.writeUint32(offset, value);
  }
}

/** The pads of the flash: only the override of its chip select matters. */
class FlashPins extends Registers {
  constructor(mcu, controller) {
    super(mcu, 'IO_QSPI');
    this.controller = controller;
  }

  writeUint32(offset, value) {
    super.writeUint32(offset, value);
    if (offset === 0x0c) this.controller.select((value >>> 8) & 3);
  }
}

/** Put the flash chip onto the chip's bus. */
export function attachFlash(mcu, uid, nowNs, eraseNs, programNs) {
  const controller = new FlashController(mcu, new FlashChip(mcu.flash, uid, nowNs, eraseNs, programNs));
  mcu.peripherals[0x18000] = controller;
  mcu.peripherals[0x40018] = new FlashPins(mcu, controller);
  mcu.peripherals[0x14000] = new Registers(mcu, 'XIP_CTRL', { 0: 3, 8: 6 });
}
