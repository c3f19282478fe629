import { describe, expect, it } from '@jest/globals';
import { returnPage } from './return-page.js';

const linkTo = (url: string): string | undefined =>
  /<a id="return"[^>]*>([^<]*)<\/a>/.exec(returnPage({ kind: 'link', url, message: 'Done.' }))?.[1];

describe('the link of a return page', () => {
  it.each([
    ['https://shop.example/done?order=7', 'shop.example'],
    ['https://shop.example:8443/', 'shop.example:8443'],
    ['https://shop.example@other.example/', 'other.example'],
    ['http://shop.example/', 'http://shop.example'],
    ['myapp://done', 'an app (myapp:)'],
    ['evil://bank.example/', 'an app (evil:)'],
    ['ftp://bank.example/', 'an app (ftp:)'],
    ['myapp:done', 'an app (myapp:)'],
  ])('to %s names %s', (url, place) => {
    expect(linkTo(url)).toBe(`Continue to ${place}`);
  });
});
