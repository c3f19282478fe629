import { describe, expect, it } from '@jest/globals';
import { errorReason } from './error-reason.js';

describe('errorReason', () => {
  it('lists an error and its causes', () => {
    const cause = new TypeError('no such leg');
    expect(errorReason(new Error('cannot apply', { cause }))).toBe(
      'Error: cannot apply <- TypeError: no such leg',
    );
  });

  it('cuts URLs to their origin, since the reason reaches tables, a topic and a terminal', () => {
    const cause = new Error(
      'POST https://user:secret@rpc.example/v3/secret?key=secret answered 401',
    );
    expect(errorReason(new Error('the node', { cause }))).toBe(
      'Error: the node <- Error: POST https://rpc.example answered 401',
    );
    expect(errorReason('postgres://quote:secret@db:5432/bascule refused')).toBe(
      'postgres://db:5432 refused',
    );
  });
});
