import { describe, expect, it } from '@jest/globals';
import { KeyedTurns } from './keyed-turns.js';

describe('KeyedTurns', () => {
  it('runs work of one key in order, also after a failure, and that of another key meanwhile', async () => {
    const turns = new KeyedTurns();
    const log: string[] = [];
    const { promise: opened, resolve: open } = Promise.withResolvers<undefined>();
    const first = turns.run('a', async () => {
      log.push('a1');
      await opened;
      throw new Error('failed');
    });
    const second = turns.run('a', () => Promise.resolve(log.push('a2')));
    await turns.run('b', () => Promise.resolve(log.push('b1')));
    expect(log).toEqual(['a1', 'b1']);
    open(undefined);
    await expect(first).rejects.toThrow('failed');
    await second;
    await turns.run('a', () => Promise.resolve(log.push('a3')));
    expect(log).toEqual(['a1', 'b1', 'a2', 'a3']);
  });
});
