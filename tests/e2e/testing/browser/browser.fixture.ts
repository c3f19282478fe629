import type { StackFile } from '@bascule/composition';
import { expect } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { PrivateKeyAccount } from 'viem';
import { checkAnswer } from '../../../schemas/check-answer.js';
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
    await tab.page.goto(`${visit.origin}/?key=${visit.key}`);
    return tab;
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

  /** Checks every answer of the page so far against the contract, and that the browser refused nothing. */
  async expectSound(): Promise<void> {
    for (const { method, path, status, body } of await this.call('takeExchanges')) {
      // A page sees some of the headers only.
      checkAnswer({ method, path, status, body });
    }
    expect(this.problems).toEqual([]);
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}
