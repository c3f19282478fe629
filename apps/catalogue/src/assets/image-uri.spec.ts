import { describe, expect, it } from '@jest/globals';
import { imageUri } from './image-uri.js';

const GENERIC = 'https://cdn.jsdelivr.net/npm/cryptocurrency-icons@0.18.1/svg/color/generic.svg';

describe('the URI of an image', () => {
  it.each([
    ['https://a.example/usdc.svg', 'https://a.example/usdc.svg'],
    ['https://a.example/usd coin.svg', 'https://a.example/usd%20coin.svg'],
    ['https://a.example/usd%20coin.svg', 'https://a.example/usd%20coin.svg'],
    ['https://a.example/100%.svg', 'https://a.example/100%25.svg'],
    ['https://a.example/[1]{2}.svg?a=[b]|c', 'https://a.example/%5B1%5D%7B2%7D.svg?a=%5Bb%5D%7Cc'],
    ['https://a.example/"<é>"^`\\.svg', 'https://a.example/%22%3C%C3%A9%3E%22%5E%60/.svg'],
    ['https://[::1]/a.svg', 'https://[::1]/a.svg'],
    ['data:image/svg+xml,<svg a="b c"/>', 'data:image/svg+xml,%3Csvg%20a=%22b%20c%22/%3E'],
    ['data:image/svg+xml,%3Csvg/%3E', 'data:image/svg+xml,%3Csvg/%3E'],
  ])('is for %s %s', (text, expected) => {
    expect(imageUri(text)).toBe(expected);
  });

  it.each([undefined, '', 'usdc.svg'])('is that of the generic icon for %j', (text) => {
    expect(imageUri(text)).toBe(GENERIC);
  });
});
