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

  it('are not compared on other paths and methods', () => {
    expect(answer({ path: '/elsewhere', status: 404 })).toEqual([]);
    expect(answer({ method: 'PUT', status: 405 })).toEqual([]);
  });
});
