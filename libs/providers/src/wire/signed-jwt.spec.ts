import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { parseJwt } from './signed-jwt.js';

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function aJwt(header: object = { alg: 'HS256', typ: 'JWT' }, secret = 'secret'): string {
  const signed = `${part(header)}.${part({ sub: 'one' })}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

describe('a JWT', () => {
  it('tells who signed it, and its claims', () => {
    const jwt = parseJwt(aJwt());
    expect([jwt?.isSignedBy('secret'), jwt?.isSignedBy('another')]).toEqual([true, false]);
    expect(jwt?.claims().string('sub')).toBe('one');
  });

  it('is not signed once a part of it is changed', () => {
    const [header = '', , signature = ''] = aJwt().split('.');
    const changed = parseJwt(`${header}.${part({ sub: 'other' })}.${signature}`);
    expect(changed?.isSignedBy('secret')).toBe(false);
    const cut = parseJwt(aJwt().slice(0, -4));
    expect(cut?.isSignedBy('secret')).toBe(false);
  });

  it.each([
    ['of no algorithm', aJwt({ alg: 'none' })],
    ['of another algorithm', aJwt({ alg: 'HS512' })],
    ['with an unreadable header', `AAAA.${part({})}.AAAA`],
    ['without a signature', aJwt().split('.').slice(0, 2).join('.')],
    ['of more parts', `${aJwt()}.AAAA`],
    ['of other characters', `${aJwt()}=`],
    ['that is empty', ''],
  ])('is refused %s', (_what, text) => {
    expect(parseJwt(text)).toBeUndefined();
  });
});
