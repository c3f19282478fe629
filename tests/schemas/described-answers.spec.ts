import { describe, expect, it } from '@jest/globals';
import { DescribedAnswers } from './described-answers.js';

const described = new DescribedAnswers();
const limited = new Headers({ 'x-request-id': 'a', ratelimit: 'b', 'ratelimit-policy': 'c' });
const prices = { usd: '1.0' };

const answer = (rest: object) =>
  described.violations({ method: 'POST', path: '/prices', status: 200, body: prices, ...rest });

describe('an answer and the OpenAPI document', () => {
  it('agree', () => {
    expect(answer({})).toEqual([]);
    expect(answer({ headers: limited })).toEqual([]);
    expect(answer({ status: 304, method: 'GET', path: '/chains', body: '' })).toEqual([]);
  });

  it('differ in a status that is not declared', () => {
    expect(answer({ status: 201 })).toEqual(['OpenAPI: status 201 is not declared']);
  });

  it('differ in a missing header', () => {
    expect(answer({ headers: new Headers({ 'x-request-id': 'a', ratelimit: 'b' }) })).toEqual([
      'OpenAPI: header ratelimit-policy is missing',
    ]);
  });

  it('differ in a field of the wrong type', () => {
    expect(answer({ body: { usd: 1 } })).toEqual([
      'OpenAPI: /usd: must be string {"type":"string"}',
    ]);
  });

  it('differ in a field that is not declared', () => {
    const body = { webhooks: [], more: true };
    expect(answer({ method: 'GET', path: '/orgs/webhooks', body })).toEqual([
      expect.stringContaining('must NOT have additional properties {"additionalProperty":"more"}'),
    ]);
  });

  it('differ in a body where none is declared', () => {
    expect(answer({ method: 'PATCH', path: '/orgs/webhooks', body: {} })).toEqual([
      'OpenAPI: a body where none is declared',
    ]);
  });

  it('differ in a header that is not declared', () => {
    const headers = new Headers(limited);
    headers.set('date', 'Mon, 23 Nov 2026 10:00:00 GMT');
    headers.set('access-control-allow-origin', '*');
    expect(answer({ headers })).toEqual([]);
    headers.set('x-served-by', 'payment-1');
    expect(answer({ headers })).toEqual(['OpenAPI: header x-served-by is not declared']);
  });

  it('differ in another method of a path, unless it is 405 with the methods that work', () => {
    const put = { method: 'PUT', path: '/orgs/webhooks' };
    const allow = (methods: string) => new Headers({ allow: methods });
    expect(answer({ ...put, status: 405 })).toEqual([]);
    const working = allow('GET, HEAD, POST, PATCH, DELETE');
    expect(answer({ ...put, status: 405, headers: working })).toEqual([]);
    expect(answer({ ...put, status: 405, headers: allow('GET, POST') })).toEqual([
      'OpenAPI: allow is GET, POST, expected DELETE, GET, PATCH, POST',
    ]);
    expect(answer({ ...put, status: 404 })).toEqual([
      'OpenAPI: status 404 of another method, expected 405',
    ]);
  });

  it('are not compared on other paths', () => {
    expect(answer({ path: '/elsewhere', status: 404 })).toEqual([]);
  });
});
