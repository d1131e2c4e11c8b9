/** Keeps the screen on while something is shown on it, where the browser can; it forgets that when the page is hidden. */
export function stayAwake(): () => void {
  const ask = (): void => {
    if (!document.hidden && 'wakeLock' in navigator) void navigator.wakeLock.request('screen').catch(() => undefined)
  }
  ask()
  document.addEventListener('visibilitychange', ask)
  return () => document.removeEventListener('visibilitychange', ask)
}
