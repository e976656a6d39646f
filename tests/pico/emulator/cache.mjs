// What running from flash costs: the RP2040's cache of 16 kB, two ways of 1,024 lines of 8 bytes, the least recently used
// goes (RP2040 data sheet, 2.6.3). rp2040js reads flash for nothing.
import { RP2040 } from 'rp2040js';

const START = 0x10000000;
const END = 0x11000000;
const SETS = 1024;

/** Let each line that is not in the cache cost `missCycles`. */
export function attachCache(mcu, missCycles) {
  const tags = new Int32Array(2 * SETS).fill(-1);
  const oldest = new Uint8Array(SETS);
  const { readUint8, readUint16, readUint32 } = RP2040.prototype;
  let last = -1;
  const touch = (address) => {
    const line = (address - START) >>> 3;
    if (line === last) return;
    last = line;
    const set = line & (SETS - 1);
    const tag = line >>> 10;
    const way = set << 1;
    if (tags[way] === tag) oldest[set] = 1;
    else if (tags[way + 1] === tag) oldest[set] = 0;
    else {
      tags[way + oldest[set]] = tag;
      oldest[set] ^= 1;
      mcu.core.cycles += missCycles;
    }
  };
  mcu.readUint8 = (address) => {
    if (address < START || address >= END) return readUint8.call(mcu, address);
    touch(address);
    return mcu.flash[address - START];
  };
  mcu.readUint16 = (address) => {
    if (address < START || address >= END) return readUint16.call(mcu, address);
    touch(address);
    return mcu.flashView.getUint16(address - START, true);
  };
  mcu.readUint32 = (signed) => {
    const address = signed >>> 0;
    if (address < START || address >= END) return readUint32.call(mcu, address);
    touch(address);
    return mcu.flashView.getUint32(address - START, true);
  };
}
