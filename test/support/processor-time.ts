/** Processor time of the calling thread so far, in milliseconds: other work on the machine adds nothing to it. */
export function processorMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
