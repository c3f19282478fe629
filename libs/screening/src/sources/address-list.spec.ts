import { describe, expect, it } from '@jest/globals';
import { parseAddressList } from './address-list.js';

const ONE = '0x00000000000000000000000000000000000000aA';
const OTHER = '0x00000000000000000000000000000000000000bb';

describe('parseAddressList', () => {
  it('takes one address per line in any letter case, and leaves comments out', () => {
    const text = `\uFEFF# list of today\r\n${ONE} # exchange\n\n  ${OTHER}\n${ONE.toLowerCase()}`;
    const { addresses, length } = parseAddressList(text);
    expect([...addresses]).toEqual([ONE.toLowerCase(), OTHER]);
    expect(length).toBe(3);
  });

  it('is empty for an empty file', () => {
    expect(parseAddressList('').length).toBe(0);
  });

  it.each(['0x12', `${ONE}0`, `${ONE} ${OTHER}`, 'ethereum:0x', `${ONE},`])(
    'refuses %p with its line',
    (line) => {
      expect(() => parseAddressList(`${OTHER}\n${line}\n`)).toThrow('line 2: expected an address');
    },
  );
});
