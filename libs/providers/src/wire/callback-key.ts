import { createSecretKey, type KeyObject } from 'node:crypto';
import type { JsonObject } from './json-object.js';

/** Reads the `callback_secret` of an entry in `PROVIDERS`: the key with which a provider signs its callbacks. */
export const readCallbackKey = (entry: JsonObject): KeyObject =>
  createSecretKey(Buffer.from(entry.string('callback_secret'), 'utf8'));
