import { describe, expect, it } from '@jest/globals';
import type { NewEntry } from './entry.js';
import { DUST_ROOM, place, ROOM, WAIT_ROOM } from './room.js';

const dust: NewEntry = { type: 'deposit.seen', facts: {}, isDust: true };
const real: NewEntry = { type: 'deposit.seen', facts: {}, isDust: false };
const vital: NewEntry = { type: 'payment.status_changed', facts: {} };

const wait: NewEntry = { type: 'leg.waiting', facts: { leg: 0 } };

const typesOf = (entries: readonly NewEntry[], length: number) => {
  const { kept, omitted } = place(entries, length);
  return { kept: kept.map(({ sequence }) => sequence), omitted: omitted.length };
};

describe('the room of a timeline', () => {
  it('numbers entries without gaps', () => {
    expect(typesOf([real, dust, vital], 0)).toEqual({ kept: [1, 2, 3], omitted: 0 });
    expect(typesOf([real], 41)).toEqual({ kept: [42], omitted: 0 });
  });

  it('ends early for worthless deposits, and keeps a real one between them', () => {
    expect(typesOf([dust, dust, real, dust], DUST_ROOM - 1)).toEqual({
      kept: [DUST_ROOM, DUST_ROOM + 1],
      omitted: 2,
    });
  });

  it('ends for all but changes of status and transactions', () => {
    expect(typesOf([real, vital, real], ROOM)).toEqual({ kept: [ROOM + 1], omitted: 2 });
  });

  it('keeps why a leg waits after strangers have filled it, but not without end', () => {
    expect(typesOf([wait, real], ROOM)).toEqual({ kept: [ROOM + 1], omitted: 1 });
    expect(typesOf([wait], WAIT_ROOM)).toEqual({ kept: [], omitted: 1 });
  });
});
