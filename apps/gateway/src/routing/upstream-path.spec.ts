import { describe, expect, it } from '@jest/globals';
import { fillPath, queryOf } from './upstream-path.js';

describe('fillPath', () => {
  it('encodes parameters to keep each within its segment', () => {
    expect(fillPath('/funding/:payment_id', { payment_id: 'abc' })).toBe('/funding/abc');
    expect(fillPath('/providers/:name/callbacks', { name: '../../admin?x=#' })).toBe(
      '/providers/..%2F..%2Fadmin%3Fx%3D%23/callbacks',
    );
  });
});

describe('queryOf', () => {
  it.each([
    ['/a', ''],
    ['/a?', '?'],
    ['/a?x[]=1&x[]=2', '?x[]=1&x[]=2'],
  ])('keeps the query of %s unchanged', (url, expected) => {
    expect(queryOf(url)).toBe(expected);
  });

  it.each([
    ['/a?token=t', ''],
    ['/a?x=1&token=t&y=2', '?x=1&y=2'],
    ['/a?tokens=1', '?tokens=1'],
  ])('removes the credential from %s', (url, expected) => {
    expect(queryOf(url, 'token')).toBe(expected);
  });
});
