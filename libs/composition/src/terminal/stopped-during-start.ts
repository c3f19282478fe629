export class StoppedDuringStart extends Error {
  constructor() {
    super('stopped while starting');
  }
}
