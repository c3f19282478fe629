import { UsageError } from '@bascule/operator-commands';
import { describe, expect, it } from '@jest/globals';
import { parseAssetCommand } from './operator-arguments.js';

const TOKEN = `alphanet:0x${'aB'.repeat(20)}`;
const parse = (line: string) => parseAssetCommand(line.split(' '));

describe('the command line for assets', () => {
  it('parses an added token with its given properties', () => {
    expect(
      parse(
        `add ${TOKEN} --image-url https://a.example/x.svg --symbol NEW --pair eth/usd --rpc-url http://127.0.0.1:1,https://a.example --decimals 18`,
      ),
    ).toEqual({
      name: 'add',
      id: TOKEN.toLowerCase(),
      changes: { symbol: 'NEW', image_url: 'https://a.example/x.svg', pair: 'eth/usd' },
      rpcUrls: 'http://127.0.0.1:1,https://a.example',
      decimals: 18,
      isSure: false,
    });
  });

  it('parses override, hide, show, reset, list and history', () => {
    expect(parse('override USD --alias Buck --coingecko-id us-dollar --sure')).toEqual({
      name: 'override',
      id: 'usd',
      changes: { alias: 'Buck', coingecko_id: 'us-dollar' },
      isSure: true,
    });
    for (const name of ['hide', 'show', 'reset', 'history']) {
      expect(parse(`${name} EUR`)).toEqual({ name, id: 'eur' });
    }
    expect(parse('list --chain alphanet --overridden')).toEqual({
      name: 'list',
      chain: 'alphanet',
      overridden: true,
    });
    expect(parse('list')).toEqual({ name: 'list', chain: null, overridden: false });
  });

  it.each([
    'destroy usd',
    'hide',
    'hide usd eur',
    'hide dollars',
    'hide alphanet:0x12',
    'override usd',
    'add eur --image-url https://a.example/x.svg',
    'add alphanet:0x --image-url https://a.example/x.svg',
    `add ${TOKEN}`,
    `add ${TOKEN} --image-url http://a.example/x.svg`,
    `add ${TOKEN} --image-url javascript:alert(1)`,
    `add ${TOKEN} --image-url https://a.example/x.svg --rpc-url https://a.example,ws://a.example`,
    `add ${TOKEN} --image-url https://a.example/x.svg --decimals six`,
    `override ${TOKEN} --symbol NEW --decimals 6`,
    `override ${TOKEN} --symbol ${'S'.repeat(33)}`,
    `override ${TOKEN} --coingecko-id ../secret`,
    `override ${TOKEN} --pair eth`,
  ])('refuses: %s', (line) => {
    expect(() => parse(line)).toThrow(UsageError);
  });

  it('refuses names with unprintable characters', () => {
    for (const name of ['', ' padded', 'two\nlines', 'right\u202eleft', 'n'.repeat(101)]) {
      const command = () => parseAssetCommand(['override', 'usd', '--name', name]);
      expect(command).toThrow(UsageError);
    }
  });
});
