import { describe, expect, it } from '@jest/globals';
import { redirectUrlProblem } from './request-problems.js';

describe('redirectUrlProblem', () => {
  it.each(['https://shop.example/done?a=1#b', 'http://localhost:3000', 'myshop://done'])(
    'accepts %s',
    (url) => {
      expect(redirectUrlProblem(url)).toBeUndefined();
    },
  );

  it.each([
    '',
    'shop.example/done',
    '/done',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'blob:https://shop.example/1',
    'vbscript:x',
    'https://shop.example/a b',
  ])('refuses %j', (url) => {
    expect(redirectUrlProblem(url)).toEqual(expect.any(String));
  });
});
