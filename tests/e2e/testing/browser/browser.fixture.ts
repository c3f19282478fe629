import type { StackFile } from '@bascule/composition';
import { expect } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chromium, type Browser, type Page, type Response } from 'playwright-core';
import type { PrivateKeyAccount } from 'viem';
import { checkAnswer } from '../../../schemas/check-answer.js';
import type { Exchange } from './page/api.page.js';
import type { Shop } from './page/shop.page.js';
import { InjectedWallet } from './wallet.fixture.js';

const PATIENCE_MS = 120_000;

/** Keeps the browser from everything but this machine. */
const ARGUMENTS = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
  '--no-proxy-server',
  '--disable-gpu',
  '--disable-quic',
];

/** Starts the machine's Chromium, without its sandbox: that refuses to run as root. */
export function startChromium(): Promise<Browser> {
  const path = execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();
  return chromium.launch({
    executablePath: path,
    args: ARGUMENTS,
    chromiumSandbox: false,
    timeout: PATIENCE_MS,
  });
}

type ShopFunction = Exclude<keyof Shop, symbol>;

interface Visit {
  stack: StackFile;
  /** Origin of the shop, as the browser sees it. */
  origin: string;
  /** Publishable key that the page uses. */
  key: string;
  accounts: PrivateKeyAccount[];
}

/** A tab with the shop's page, in a browser profile with a wallet of its own. */
export class ShopTab {
  /** Uncaught errors of pages, and requests that the browser refused them. */
  readonly problems: string[] = [];
  /** Answers of the API to pages and to their navigation, as `GET /path 200`. */
  readonly answered: string[] = [];
  readonly #checks: Promise<void>[] = [];

  private constructor(
    readonly page: Page,
    readonly wallet: InjectedWallet,
  ) {
    page.on('pageerror', (error) => this.problems.push(error.message));
    page.on('console', (message) => {
      const isRefusal = /CORS|Content Security Policy/.test(message.text());
      if (isRefusal) this.problems.push(message.text());
    });
  }

  static async open(browser: Browser, visit: Visit): Promise<ShopTab> {
    const context = await browser.newContext();
    context.setDefaultTimeout(PATIENCE_MS);
    const wallet = new InjectedWallet(visit.stack, visit.accounts);
    await wallet.install(context);
    const tab = new ShopTab(await context.newPage(), wallet);
    await context.exposeFunction('__exchanged', (exchange: Exchange) => tab.#check(exchange));
    context.on('response', (response) => {
      const isOfApi = new URL(response.url()).origin === new URL(visit.stack.base_url).origin;
      // Scripts show what they fetch by themselves: a browser forgets bodies once their page is left.
      const isNavigation = response.request().isNavigationRequest();
      if (isOfApi && isNavigation) tab.#check(exchangeOf(response));
    });
    await tab.page.goto(`${visit.origin}/?key=${visit.key}`);
    return tab;
  }

  #check(exchange: Exchange | Promise<NavigationExchange>): void {
    const check = async (): Promise<void> => {
      const { method, path, status, body, ...seen } = await exchange;
      this.answered.push(`${method} ${new URL(path, 'http://api.invalid').pathname} ${status}`);
      // A script sees some of the headers only.
      const headers = seen.headers instanceof Headers ? { headers: seen.headers } : {};
      checkAnswer({ method, path, status, body, ...headers });
    };
    const checked = check();
    // Awaited by `close`.
    checked.catch(() => undefined);
    this.#checks.push(checked);
  }

  /** Calls a function of the page's shop, in the page. */
  call<Name extends ShopFunction>(
    name: Name,
    ...args: Parameters<Shop[Name]>
  ): Promise<Awaited<ReturnType<Shop[Name]>>> {
    const list = args.map((arg) => JSON.stringify(arg) ?? 'undefined').join();
    return this.page.evaluate<Awaited<ReturnType<Shop[Name]>>>(`shop.${name}(${list})`);
  }

  /** Pays at the checkout that the page has left for, and returns once it is delivered. */
  async payAtCheckout(providerUrl: string): Promise<void> {
    await this.page.waitForURL(`${providerUrl}/**`);
    await this.page.click('#pay');
    // Until then the checkout reloads itself, which would race with a click.
    await this.page.waitForSelector('#status[data-status=completed]');
    await this.page.click('#return');
  }

  /** Closes it, and expects that every answer was by the contract and that the browser refused nothing. */
  async close(): Promise<void> {
    await Promise.all(this.#checks).finally(() => this.page.context().close());
    expect(this.answered.length).toBeGreaterThan(0);
    expect(this.problems).toEqual([]);
  }
}

type NavigationExchange = Omit<Exchange, 'headers'> & { headers: Headers };

/** Answer to a navigation; only an error has a body that is described. */
async function exchangeOf(response: Response): Promise<NavigationExchange> {
  const headers = new Headers(await response.allHeaders());
  const isJson = headers.get('content-type')?.includes('json') === true;
  return {
    method: response.request().method(),
    path: response.url(),
    status: response.status(),
    headers,
    body: isJson ? await response.json() : '',
  };
}
