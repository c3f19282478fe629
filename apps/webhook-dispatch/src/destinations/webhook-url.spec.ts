import { describe, expect, it } from '@jest/globals';
import { urlProblem } from './webhook-url.js';

const strict = { allowLoopback: false };
const development = { allowLoopback: true };

describe('the url of a webhook', () => {
  it.each([
    'https://hooks.example.com/a?b=c',
    'https://hooks.example.com:443/',
    'https://1.1.1.1/',
  ])('may be %s', (url) => {
    expect(urlProblem(url, strict)).toBeNull();
  });

  it.each([
    ['hooks.example.com', 'absolute'],
    ['http://hooks.example.com/', 'https'],
    ['ftp://hooks.example.com/', 'https'],
    ['https://hooks.example.com:8443/', 'port 443'],
    ['https://user:secret@hooks.example.com/', 'credentials'],
    [`https://hooks.example.com/${'a'.repeat(2_048)}`, '2048'],
    ['http://127.0.0.1:9000/', 'https'],
  ])('may not be %s', (url, reason) => {
    expect(urlProblem(url, strict)).toContain(reason);
  });

  it('may be on this machine with the development option, but on no other private host', () => {
    for (const url of ['http://127.0.0.1:9000/', 'https://localhost:1/', 'http://[::1]:9000/']) {
      expect(urlProblem(url, development)).toBeNull();
    }
    expect(urlProblem('http://10.0.0.1:9000/', development)).toContain('https');
    expect(urlProblem('ftp://localhost/', development)).toContain('http');
  });
});
