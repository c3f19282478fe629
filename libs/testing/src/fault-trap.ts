/**
 * Stands in for the SIGKILL of a fault point, where `faultPoint` is mocked to call `pass`: no caller gets past the armed
 * point until the process is gone.
 */
export class FaultTrap<Point extends string> {
  private point: Point | null = null;
  private passes = 0;
  private trip: () => void = () => undefined;

  /** Resolves when the point was passed for so many times. */
  arm(point: Point, pass: number): Promise<void> {
    this.point = point;
    this.passes = pass;
    return new Promise((resolve) => {
      this.trip = resolve;
    });
  }

  disarm(): void {
    this.point = null;
  }

  pass(point: Point): void {
    if (point !== this.point) return;
    this.passes -= 1;
    if (this.passes > 0) return;
    this.trip();
    throw new Error(`died at ${point}`);
  }
}
