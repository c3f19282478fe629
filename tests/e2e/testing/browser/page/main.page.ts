import { PageApi } from './api.page.js';
import { Shop } from './shop.page.js';
import { PageWallet } from './wallet.page.js';

declare const location: { search: string };
/** Set where the page is bundled. */
declare const API_URL: string;

const key = new URLSearchParams(location.search).get('key');
if (key === null) throw new Error('the page was opened without a publishable key');

Object.assign(globalThis, { shop: new Shop(new PageApi(API_URL, key), new PageWallet()) });
