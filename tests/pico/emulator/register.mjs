// Loaded before the emulator: where rp2040js is, and its faster core.
import { register } from 'node:module';

register('./loading.mjs', import.meta.url, { data: { rp2040js: process.env.COMPANION_RP2040JS } });
