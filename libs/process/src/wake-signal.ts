/** Wait that `wake` ends early; a wake without a waiter ends the next wait at once. */
export class WakeSignal {
  private woken = false;
  private resolve: (() => void) | undefined;

  wake(): void {
    this.woken = true;
    this.resolve?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.woken) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.resolve = resolve;
        timer = setTimeout(resolve, ms);
      });
      clearTimeout(timer);
    }
    this.resolve = undefined;
    this.woken = false;
  }
}
