import { describe, expect, it } from '@jest/globals';
import { UsageError } from '@bascule/operator-commands';
import { chainDefinitions } from '@bascule/chain';
import { readdirSync, readFileSync } from 'node:fs';
import { parseSwitchCommand } from './switch-arguments.js';

const known = {
  chain: ['base', 'optimism'],
  venue: ['uniswap_v3'],
  bridge: ['intent_escrow'],
  provider: [],
};
const ORGANISATION = '0190B2C3-0000-7000-8000-00000000000A';
const parse = (...args: string[]) => parseSwitchCommand(args, known);
const because = ['--reason', 'a node is wrong'];

/** Commands of the operations pages, as an operator's shell splits them. */
const DOCUMENTED = readdirSync('docs/operations')
  .map((file) => readFileSync(`docs/operations/${file}`, 'utf8'))
  .flatMap((text) => [...text.matchAll(/operator -- ((?:pause|resume) \w[^`\n#]+)/g)])
  .map(([, command = '']) => command.trim().replace(/\bID\b/, ORGANISATION));

describe('parseSwitchCommand', () => {
  it('reads the commands of the operations pages where no names are configured', () => {
    const configured = { ...known, chain: Object.keys(chainDefinitions), bridge: [] };
    expect(DOCUMENTED.length).toBeGreaterThan(8);
    for (const command of DOCUMENTED) {
      const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, text, word]) => text ?? word);
      const args = words.filter((it) => it !== undefined);
      expect(parseSwitchCommand(args, configured)).toBeDefined();
    }
  });

  it.each([
    ['chain', 'Base', 'base'],
    ['venue', 'uniswap-v3', 'uniswap_v3'],
    ['venue', 'uniswap_v3', 'uniswap_v3'],
    ['bridge', 'intent_escrow', 'intent_escrow'],
    ['organisation', ORGANISATION, ORGANISATION.toLowerCase()],
  ])('reads a pause of a %s named %s', (kind, name, subject) => {
    const about = { kind, subject };
    expect(parse('pause', kind, name, ...because)).toEqual({
      ...{ name: 'pause', about },
      reason: 'a node is wrong',
    });
    expect(parse('resume', kind, name)).toEqual({ name: 'resume', about });
  });

  it.each(['confirms', 'execution'])('reads a pause of %s, which has no name', (kind) => {
    const about = { kind, subject: null };
    expect(parse('pause', kind, ...because)).toMatchObject({ about });
    expect(parse('resume', kind)).toEqual({ name: 'resume', about });
    expect(() => parse('pause', kind, 'base', ...because)).toThrow(
      `${kind} takes no name, got base`,
    );
  });

  it('reads a list', () => {
    expect(parse('pauses', 'list')).toEqual({ name: 'pauses list' });
  });

  it('refuses unknown names with the known ones, unless they are said to be unlisted', () => {
    expect(() => parse('pause', 'chain', 'bse', ...because)).toThrow(
      'Unknown chain bse. Known: base, optimism.',
    );
    expect(() => parse('pause', 'provider', 'acme', ...because)).toThrow('Known: none.');
    expect(parse('pause', 'provider', 'Acme', '--unlisted', ...because)).toMatchObject({
      about: { kind: 'provider', subject: 'acme' },
    });
    expect(() => parse('pause', 'provider', 'a b', '--unlisted', ...because)).toThrow(UsageError);
  });

  it.each([
    [['pause', 'chain', 'base'], '--reason is missing'],
    [['pause', 'chain', ...because], 'the name of the chain is missing'],
    [['pause', 'planet', 'mars', ...because], 'expected one of chain, venue,'],
    [['pause', 'organisation', 'acme', ...because], 'organisation takes an id, got acme'],
    [
      ['pause', 'chain', 'base', 'optimism', ...because],
      'unknown command: pause chain base optimism',
    ],
    [['pauses'], 'unknown command: pauses'],
    [['pause', 'execution', '--reason', 'two\nlines'], '--reason must be one line'],
    [['pause', 'execution', '--reason', 'x'.repeat(201)], 'of at most 200 characters'],
  ])('refuses %j', (args, message) => {
    expect(() => parse(...args)).toThrow(UsageError);
    expect(() => parse(...args)).toThrow(message);
  });
});
