// The page comes by itself as soon as the server answers again.
const look = () => fetch('./', { cache: 'no-store' }).then(({ ok }) => ok && location.reload(), () => undefined)
addEventListener('online', look)
setInterval(look, 4000)
