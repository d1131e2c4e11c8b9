/**
 * What is wrong with what is on the screen, as somebody sees it who only looks: a list of [kind, what, box].
 *
 * It knows no page and no game. What it goes by: a piece is what says `data-place` or `data-what`; a map is what takes
 * all touches for itself (`touch-action: none`), and may be moved; what scrolls may be scrolled to; a name may be cut
 * where a sign says so and enough of it is left; pieces of a kind may lie on each other like cards in a hand, as long as
 * something of each can be read.
 */
async ({ width, height, touch, half, names, only }) => {
  const PIECE = '[data-place], [data-what]'
  const PRESSED = 'button, a[href], input, select, textarea, summary, [role=button], [role=tab]'
  /** Of a name, so much is enough to know who it is. */
  const ENOUGH = 44
  const FAINT = 0.1
  /**
   * The least width and height, in pixels: of what is pressed; the same on a board, by a finger; a part of a drawing
   * whose parts lie side by side, where who misses one is told so before it counts; of a piece, and its shorter edge.
   */
  const LEAST = { pressed: 24, touched: 44, part: 28, piece: 12, edge: 8 }

  const found = []
  const said = new Set()
  const styles = new Map()
  const style = (e) => styles.get(e) ?? styles.set(e, getComputedStyle(e)).get(e)
  const boxOf = (e) => e.getBoundingClientRect()
  const middleOf = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2]
  const inWindow = (x, y) => x >= 0 && x < width && y >= 0 && y < height
  const dialogs = [...document.querySelectorAll('dialog[open]')]
  const root = dialogs.at(-1) ?? document.body
  const short = (text) => text.replace(/\s+/g, ' ').trim().slice(0, 40)
  const firstClass = (e) => (e.getAttribute('class') ?? '').split(' ').find((one) => one && !/^(svelte-|z[0-9a-z]{3,5}$)/.test(one))
  const called = (e) => {
    const place = e.dataset?.place ?? e.dataset?.what
    const text = short(e.ariaLabel ?? e.textContent ?? '')
    return `<${e.tagName.toLowerCase()}${firstClass(e) ? `.${firstClass(e)}` : ''}${place ? ` ${place}` : ''}>${text && ` “${text}”`}`
  }
  const tell = (kind, what, box) => {
    if (said.has(kind + what)) return
    said.add(kind + what)
    found.push([kind, what, [box.left + scrollX, box.top + scrollY, box.width, box.height].map(Math.round)])
  }

  // --- What is shown at all ---

  const opacities = new Map()
  const opacity = (e) => {
    if (!e) return 1
    if (!opacities.has(e)) opacities.set(e, Number(style(e).opacity) * opacity(e.parentElement))
    return opacities.get(e)
  }
  const forEars = (e) => e.closest('.unseen, .flights, script, style, noscript, template, option, title') !== null
  const unclipped = (e) => {
    for (let up = e; up && up !== document.body; up = up.parentElement)
      if (style(up).clipPath.startsWith('inset(50%')) return false
    return true
  }
  const shown = (e) => e.checkVisibility({ visibilityProperty: true }) && !forEars(e) && unclipped(e)
  const isMap = (e) => style(e).touchAction === 'none' && /hidden|clip/.test(style(e).overflowX)
  const holds = (e) => style(e).position !== 'static' || style(e).transform !== 'none' || style(e).containerType !== 'normal'

  /** What an element lies in that cuts or scrolls it, from the nearest outwards. */
  const frames = new Map()
  const framesOf = (e) => {
    if (frames.has(e)) return frames.get(e)
    const all = []
    let position = style(e).position
    for (let up = e.parentElement; up && up !== document.body; up = up.parentElement) {
      if (position === 'fixed') break
      if (position === 'absolute' && !holds(up)) continue
      const { display, overflowX, overflowY } = style(up)
      if (display === 'contents') continue
      if ((overflowX !== 'visible' || overflowY !== 'visible') && !(up instanceof SVGElement && up.ownerSVGElement))
        all.push({ e: up, x: overflowX, y: overflowY, map: isMap(up) })
      position = holds(up) ? style(up).position : position
      if (up.matches('dialog')) break
    }
    frames.set(e, all)
    return all
  }
  /** As much of a box as can be seen, and what cuts off the rest. */
  const seen = (e, box, own = true) => {
    const at = { left: box.left, top: box.top, right: box.right, bottom: box.bottom }
    let [scrollsX, scrollsY] = [false, false]
    let cut = null
    const self = own && /hidden|clip/.test(style(e).overflowX + style(e).overflowY)
    const mine = self ? [{ e, x: style(e).overflowX, y: style(e).overflowY, map: isMap(e) }] : []
    for (const frame of [...mine, ...framesOf(e)]) {
      const edge = boxOf(frame.e)
      const [hidesX, hidesY] = [/hidden|clip/.test(frame.x), /hidden|clip/.test(frame.y)]
      if (frame.map) scrollsX = scrollsY = true
      if (hidesX && !scrollsX) {
        const over = Math.max(box.right - edge.right, edge.left - box.left)
        if (over > 1.5) cut ??= { by: frame.e, over, across: true }
      }
      if (hidesY && !scrollsY) {
        const over = Math.max(box.bottom - edge.bottom, edge.top - box.top)
        if (over > Math.max(3, 0.25 * box.height)) cut ??= { by: frame.e, over, across: false }
      }
      if (/auto|scroll/.test(frame.x)) scrollsX = true
      if (/auto|scroll/.test(frame.y)) scrollsY = true
      if (frame.x !== 'visible') {
        at.left = Math.max(at.left, edge.left)
        at.right = Math.min(at.right, edge.right)
      }
      if (frame.y !== 'visible') {
        at.top = Math.max(at.top, edge.top)
        at.bottom = Math.min(at.bottom, edge.bottom)
      }
    }
    const rest = { ...at, width: at.right - at.left, height: at.bottom - at.top }
    return { rest: rest.width > 1 && rest.height > 1 ? rest : null, cut, scrolls: scrollsX || scrollsY }
  }

  // --- What lies over what ---

  /** Stays where it is while the page is scrolled, as a bar at an edge does. */
  const stays = new Map()
  const staying = (e) => {
    if (!e || e === document.body) return null
    if (!stays.has(e)) stays.set(e, stuck(e) ? e : staying(e.parentElement))
    return stays.get(e)
  }
  /** Farther on, what sticks to the lower edge goes on with the page. */
  const stuck = (e) => {
    const { position, top, bottom } = style(e)
    if (position !== 'sticky' || top !== 'auto' || framesOf(e).some(({ y }) => /auto|scroll/.test(y)))
      return /fixed|sticky/.test(position)
    return boxOf(e).bottom >= height - parseFloat(bottom) - 1
  }
  const alpha = (colour) => {
    if (colour === 'transparent') return 0
    const given = /^rgba\(.*,\s*([\d.]+)\)$|\/\s*([\d.]+)\)$/.exec(colour)
    return given ? Number(given[1] ?? given[2]) : 1
  }
  const SHAPES = 'path, rect, circle, ellipse, polygon, polyline, line, use, image, text, tspan'
  const textsOf = (e) => [...e.childNodes].filter((n) => n.nodeType === Node.TEXT_NODE && n.data.trim())
  const within = (box, x, y) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom
  const paints = (e, x, y) => {
    // Faint ornaments and thin lines hide nothing.
    if (opacity(e) < 0.35) return false
    const { backgroundColor, backgroundImage, fill, fillOpacity } = style(e)
    if (e.matches('img, canvas, video')) return true
    if (e instanceof SVGElement)
      return e.matches(SHAPES) && fill !== 'none' && alpha(fill) * fillOpacity > 0.2
    if (alpha(backgroundColor) > 0.2) return true
    if (backgroundImage !== 'none' && !/transparent|rgba\([^)]*, 0\)|\/ 0\)/.test(backgroundImage)) return true
    return textsOf(e).some((n) => linesOf(n).some((line) => within(line, x, y)))
  }
  const linesOf = (node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    return [...range.getClientRects()].filter((r) => r.width > 0.5 && r.height > 0.5)
  }
  /** Two of a kind, which may lie on each other like cards. */
  const pieceOf = (e) => e.closest(`${PIECE}, button, li`)
  const alike = (a, b) => {
    const [one, other] = [pieceOf(a), pieceOf(b)]
    if (!one || !other || one === other) return false
    if (one.contains(other) || other.contains(one)) return false
    return one.tagName === other.tagName && firstClass(one) === firstClass(other)
  }
  const scrollable = document.documentElement.scrollHeight > height + 1
  /** Only because the page, or a part of it, is scrolled to where it is. */
  const passing = (under, over) => {
    const bar = staying(over)
    const fixed = staying(under)
    // A frame around a piece goes with it.
    const goes = fixed === null || fixed.matches('[aria-hidden=true] > *')
    // What stays at the edge of a part that scrolls.
    const frame = bar && framesOf(bar).find(({ y }) => /auto|scroll/.test(y))?.e
    if (frame?.contains(under) && !bar.contains(under) && frame.scrollHeight > frame.clientHeight + 1) return true
    return !!bar && !bar.contains(under) && scrollable && goes
  }
  /** What is drawn over an element at a point, if anything is. */
  const over = (e, x, y) => {
    const whole = e.matches(`${PIECE}, ${PRESSED}`)
    const own = (top) => top === e || top.contains(e) || (whole && e.contains(top))
    // Mostly nothing is; to ask for all that lies there takes longer.
    const highest = document.elementFromPoint(x, y)
    if (!highest || own(highest)) return null
    const stack = document.elementsFromPoint(x, y)
    if (!stack.some((one) => one === e || e.contains(one) || one.contains(e))) return null
    for (const top of stack) {
      if (own(top)) return null
      // In one drawing what comes later lies above, even where its letters are not hit.
      if (e.ownerSVGElement && top.ownerSVGElement === e.ownerSVGElement && top.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING)
        continue
      if (!forEars(top) && paints(top, x, y)) return passing(e, top) ? null : top
    }
    return null
  }

  // --- Texts ---

  /** Some letters of a name, and not all; one alone stands for many things. */
  const isBegun = (text) => text.length > 1 && !names.includes(text) && names.some((name) => name.startsWith(text) && !/^\s/.test(name.slice(text.length)))
  const isName = (text) => names.some((name) => name.includes(text) || text.includes(name))
  const texts = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    const parent = node.parentElement
    if (!node.data.trim() || !parent || !shown(parent)) continue
    if (opacity(parent) < FAINT) continue
    texts.push({ node, parent, text: short(node.data), lines: linesOf(node), drawn: parent instanceof SVGElement })
  }

  const cuts = () => {
    for (const { node, parent, text, lines, drawn } of texts) {
      for (const line of lines) {
        const { rest, cut } = seen(parent, line)
        if (cut && (folded(cut.by) || (isName(text) && told(cut, line, rest)))) continue
        if (cut && !drawn) tell('cut', `“${text}” is cut off by ${called(cut.by)}, ${Math.ceil(cut.over)} px of it`, line)
        if (!cut && rest && (line.right > width + 1 || line.left < -1) && !seen(parent, line).scrolls)
          tell('cut', `“${text}” reaches beyond the window`, line)
      }
      if (!drawn) {
        broken(node, parent, text)
        spilt(parent, text, lines)
      }
      if (isBegun(text)) tell('cut', `“${text}” is the beginning of a name, without a sign that it goes on`, lines[0])
    }
    for (const e of root.querySelectorAll(`${PRESSED}, ${PIECE}`)) {
      if (!shown(e) || e.ownerSVGElement || e.matches('input[type=radio], input[type=checkbox], input[type=file]')) continue
      const box = boxOf(e)
      const { cut } = seen(e, box, false)
      const much = cut && (cut.across ? box.width : box.height) * 0.06
      if (cut && cut.over > Math.max(2, much)) tell('cut', `${called(e)} is cut off by ${called(cut.by)}, ${Math.ceil(cut.over)} px of it`, box)
    }
  }

  /** Does a sign say that a name goes on, after enough of it? As much is left of one that has to be scrolled to. */
  const told = (cut, line, rest) =>
    style(cut.by).textOverflow === 'ellipsis' && (rest?.width ?? line.width - cut.over) >= Math.min(ENOUGH, line.width)

  /** Does a sign say that it goes on, and a button beside it, or that it stands on, open all of it? */
  const folded = (e) => {
    if (style(e).textOverflow !== 'ellipsis') return false
    if (e.closest('button[aria-haspopup]')) return true
    for (let up = e; up && up !== root; up = up.parentElement)
      if (up.parentElement?.querySelector(':scope > button[aria-expanded=false]')) return true
    return false
  }

  /** What is written on a ground of its own, such as a button or a sheet, and reaches beyond it. */
  const spilt = (parent, text, lines) => {
    const ground = groundOf(parent)
    if (!ground) return
    const edge = boxOf(ground)
    for (const line of lines) {
      const { rest, scrolls } = seen(parent, line)
      if (!rest || scrolls) continue
      const across = Math.max(rest.right - edge.right, edge.left - rest.left)
      // The room above and below letters may be taken.
      const down = Math.max(rest.bottom - edge.bottom, edge.top - rest.top) - 0.25 * line.height
      if (Math.max(across, down) > 1.5)
        tell('cut', `“${text}” reaches beyond ${called(ground)}, ${Math.ceil(Math.max(across, down))} px of it`, line)
    }
  }
  /** The nearest that is drawn as a ground, as far as what lies in it takes its place there: a sign at its corner does not. */
  const groundOf = (e) => {
    for (let up = e; up && up !== document.body; up = up.parentElement) {
      const { position, display, backgroundColor, borderTopWidth, borderTopColor } = style(up)
      if (up instanceof SVGElement || display === 'contents') continue
      const bordered = parseFloat(borderTopWidth) > 0 && alpha(borderTopColor) > 0.2
      if (!display.startsWith('inline ') && display !== 'inline' && (up.matches(PRESSED) || alpha(backgroundColor) > 0.2 || bordered)) return up
      if (/absolute|fixed/.test(position) || style(up).transform !== 'none') return null
    }
    return null
  }

  /** A word that goes on in the next line without a hyphen. */
  const broken = (node, parent, text) => {
    if (/auto/.test(style(parent).hyphens) || style(parent).whiteSpace.startsWith('nowrap') || linesOf(node).length < 2) return
    const range = document.createRange()
    for (const word of node.data.matchAll(/[^\s\-–—\u00ad\u200b/]{3,}/g)) {
      // What is longer than any word has to break somewhere.
      if (word[0].length > 30) continue
      // The hyphen of a break before it is drawn in the line above, as a part of its first letter.
      range.setStart(node, word.index + Number(node.data[word.index - 1] === '\u00ad'))
      range.setEnd(node, word.index + word[0].length)
      const rows = new Set([...range.getClientRects()].filter((r) => r.width > 0.5).map((r) => Math.round(r.top / 3)))
      if (rows.size > 1 && !(isName(word[0]) && wider(range, parent)))
        tell('broken word', `“${word[0]}” in “${text}”`, range.getBoundingClientRect())
    }
  }
  /** Is a word wider than a line of its own? Our words may not be; of a name we cannot choose how long it is. */
  const wider = (range, parent) => {
    let block = parent
    while (style(block).display.startsWith('inline') && block.parentElement) block = block.parentElement
    // A mark may stand before it.
    const left = Math.min(...linesOf(range.startContainer).map((one) => one.left))
    const line = boxOf(block).right - parseFloat(style(block).paddingRight) - left
    return [...range.getClientRects()].reduce((sum, { width }) => sum + width, 0) > line
  }

  const looked = new Set()
  const readable = new Map()
  const coverings = () => {
    const here = []
    for (const one of texts) {
      // A label may have gone where the page was scrolled to.
      if (!one.parent.checkVisibility({ visibilityProperty: true })) continue
      for (const line of one.lines) {
        const { rest } = seen(one.parent, line)
        if (!rest) continue
        const inner = { left: rest.left + 1, right: rest.right - 1, top: rest.top, bottom: rest.bottom }
        const [, y] = middleOf(inner)
        if (y < 0 || y >= height || inner.right < 0 || inner.left >= width) continue
        const id = `${one.text} ${line.left} ${line.top + scrollY}`
        here.push({ ...one, line, rest })
        if (looked.has(id)) continue
        looked.add(id)
        const piece = pieceOf(one.parent)
        let covered = null
        // Within the small letters, in the middle and near both ends.
        for (const [across, down] of [[0.5, 0.5], [0.08, 0.4], [0.92, 0.4], [0.3, 0.68], [0.7, 0.68]]) {
          const [px, py] = [inner.left + across * (inner.right - inner.left), inner.top + down * (inner.bottom - inner.top)]
          if (!inWindow(px, py)) continue
          const top = over(one.parent, px, py)
          // Of a card in a hand the corner is seen, if no more.
          if (across === 0.5 || (top && !alike(one.parent, top))) covered ??= top
        }
        if (!covered) {
          if (piece) readable.set(piece, true)
        } else if (alike(one.parent, covered)) {
          if (!readable.has(piece)) readable.set(piece, false)
        } else tell('covered', `“${one.text}” of ${called(piece ?? one.parent)} is under ${called(covered)}`, line)
      }
    }
    crossings(here)
  }

  /** Does one of two lie on a ground of its own, which the other is not on? */
  const behind = (e, other) => {
    for (let up = e; up && !up.contains(other); up = up.parentElement)
      if (alpha(style(up).backgroundColor) > 0.5) return true
    return false
  }

  /** Does what is read first end where what comes next begins, as if both were one word? */
  const touching = (one, other, a, b) => {
    const level = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
    if (one.drawn || other.drawn || staying(one.parent) !== staying(other.parent) || level < 0.6 * Math.min(a.height, b.height)) return false
    const [[first, left], [next, right]] = a.left < b.left ? [[one, a], [other, b]] : [[other, b], [one, a]]
    return Math.abs(right.left - left.right) < 1.5 && /[\p{L}\p{N}.!?…]$/u.test(first.node.data) && /^[\p{L}\p{N}]/u.test(next.node.data)
  }

  /** Texts that are written over each other, or run into each other. */
  const crossings = (here) => {
    here.sort((a, b) => a.line.top - b.line.top)
    here.forEach((one, at) => {
      for (const other of here.slice(at + 1)) {
        if (other.line.top > one.line.bottom) break
        if (other.parent === one.parent) continue
        const [a, b] = [one.rest, other.rest]
        if (touching(one, other, a, b)) tell('touching', `“${one.text}” and “${other.text}” run into each other`, a)
        const [inA, inB] = [0.22 * one.line.height, 0.22 * other.line.height]
        const left = Math.max(a.left, b.left)
        const right = Math.min(a.right, b.right)
        const top = Math.max(a.top + inA, b.top + inB)
        const bottom = Math.min(a.bottom - inA, b.bottom - inB)
        if (right - left < 3 || bottom - top < 2) continue
        const [x, y] = middleOf({ left, right, top, bottom })
        const stack = document.elementsFromPoint(x, y)
        const [upper, lower] = [one.parent, other.parent].sort((m, n) => stack.indexOf(m) - stack.indexOf(n))
        const between = stack.slice(0, Math.max(0, stack.indexOf(lower))).some((e) => e !== upper && paints(e, x, y))
        if (between || passing(lower, upper) || behind(upper, lower) || behind(lower, upper)) continue
        tell('crossed', `“${one.text}” and “${other.text}” are written over each other`, { left, top, width: right - left, height: bottom - top })
      }
    })
  }

  // --- Pieces and what is pressed ---

  const invisible = () => {
    for (const e of root.querySelectorAll('*')) {
      if (Number(style(e).opacity) >= FAINT || forEars(e) || e.matches('input, dialog[aria-busy=true]')) continue
      if (e.ownerSVGElement || !shown(e)) continue
      const box = boxOf(e)
      if (box.width > 1 && box.height > 1) tell('invisible', `${called(e)} has opacity ${style(e).opacity}`, box)
    }
  }

  const isText = (e) => e.matches('a') && e.closest('p, article, li, td, figcaption') && style(e).display === 'inline'
  const sizes = () => {
    const small = new Map()
    for (const e of root.querySelectorAll(`${PRESSED}, ${PIECE}`)) {
      if (!shown(e) || isText(e) || e.matches(':disabled')) continue
      const pressed = e.matches(PRESSED)
      const target = e.matches('input') ? (e.closest('label') ?? e) : e
      const box = boxOf(target)
      const map = framesOf(e).some((frame) => frame.map)
      const board = e.closest('main')?.querySelector('[data-seq]') && !e.closest('nav, dialog')
      const finger = e.matches('svg ~ button:empty') ? LEAST.part : LEAST.touched
      const least = !pressed ? LEAST.piece : touch && board && !map ? finger : LEAST.pressed
      const [shorter, longer] = [box.width, box.height].sort((a, b) => a - b)
      if (shorter >= least - 0.5 || (!pressed && longer >= least && shorter >= LEAST.edge)) continue
      if (!pressed && (!e.childElementCount || box.width * box.height === 0 || e.querySelector(PRESSED))) continue
      if (pressed && reached(target, box, least)) continue
      // Of many of a kind one stands for all.
      const kind = `${e.tagName} ${firstClass(e) ?? firstClass(e.parentElement)} ${pressed}`
      const [first, count] = small.get(kind) ?? [[e, box, least], 0]
      small.set(kind, [first, count + 1])
    }
    for (const [[e, box, least], count] of small.values()) {
      const more = count > 1 ? `, and ${count - 1} more of its kind` : ''
      tell('small', `${called(e)} is ${Math.round(box.width)} x ${Math.round(box.height)}, not ${least}${more}`, box)
    }
  }
  /** Does what can be hit reach further than what is drawn? */
  const reached = (e, box, least) => {
    const [x, y] = middleOf(box)
    if (y < 0 || y >= height) return false
    const reach = (dx, dy) => {
      let n = 0
      while (n < least && e.contains(document.elementFromPoint(x + dx * n, y + dy * n))) n += 1
      return n
    }
    return reach(-1, 0) + reach(1, 0) >= least && reach(0, -1) + reach(0, 1) >= least
  }

  const pressable = new Set()
  const blocked = () => {
    for (const e of root.querySelectorAll(PRESSED)) {
      if (pressable.has(e) || !shown(e) || e.matches('input') || style(e).pointerEvents === 'none') continue
      const box = boxOf(e)
      const { rest } = seen(e, box, false)
      if (!rest || rest.width < 4 || rest.height < 4) continue
      // The rim of a map, which can be moved.
      if (rest.width * rest.height < 0.6 * box.width * box.height && framesOf(e).some((frame) => frame.map)) continue
      const [x, y] = middleOf(rest)
      if (!inWindow(x, y)) continue
      pressable.add(e)
      const hit = (dx, dy) => {
        const top = document.elementFromPoint(x + dx * rest.width, y + dy * rest.height)
        return !top || e.contains(top) || top.contains(e) ? null : top
      }
      const top = hit(0, 0)
      if (!top || passing(e, top)) continue
      if (alike(e, top)) {
        const parts = [-0.4, -0.2, 0, 0.2, 0.4]
        if (parts.some((dx) => parts.some((dy) => !hit(dx, dy)))) continue
      }
      tell('blocked', `${called(e)} is under ${called(top)}`, rest)
    }
  }

  const lying = new Set()
  const covered = () => {
    for (const e of root.querySelectorAll(PIECE)) {
      if (lying.has(e) || !shown(e) || !(e.childElementCount || e.textContent.trim())) continue
      const box = boxOf(e)
      const { rest } = seen(e, box, false)
      if (!rest) continue
      const [x, y] = middleOf(rest)
      if (!inWindow(x, y)) continue
      lying.add(e)
      const top = over(e, x, y)
      // What lies on a piece on purpose is smaller than it, or another piece of the same kind.
      if (!top || alike(e, top)) continue
      const size = boxOf(pieceOf(top) ?? top)
      if (size.width * size.height < 0.6 * box.width * box.height) continue
      tell('covered piece', `${called(e)} is under ${called(top)}`, rest)
    }
  }

  // --- The window ---

  const bar = () => {
    const asked = root.querySelector('main [data-seq]')
    if (!asked) return
    // Where nothing is asked it may be empty, and is not seen then.
    if (!asked.textContent.trim() && document.title.startsWith('●')) return tell('asked', 'the bar is empty', boxOf(asked))
    if (!shown(asked)) return
    signs('asked', asked)
    const box = boxOf(asked)
    if (box.top < -1 || box.bottom > height + 1)
      return tell('asked', `the bar lies from ${Math.round(box.top)} to ${Math.round(box.bottom)} of ${height}`, box)
    for (const part of asked.querySelectorAll('button, p')) {
      if (!shown(part) || !part.textContent.trim()) continue
      const { rest } = seen(part, boxOf(part))
      if (!rest || rest.top < -1 || rest.bottom > height + 1) tell('asked', `${called(part)} has to be scrolled to`, boxOf(part))
    }
  }
  /** Whatever answers what is asked, as far as somebody who knows the game has named it. */
  const answers = () => {
    if (!document.title.startsWith('●') || !root.querySelector('main [data-seq]')?.textContent.trim()) return
    const all = (window.answersToBeSeen ?? []).filter((e) => e.isConnected && shown(e) && !framesOf(e).some((frame) => frame.map))
    const hidden = all.filter((e) => {
      const { rest } = seen(e, boxOf(e), false)
      if (!rest) return true
      const [x, y] = middleOf(rest)
      if (y < 0 || y >= height || rest.height < 0.5 * boxOf(e).height) return true
      const top = document.elementFromPoint(x, y)
      return top && !e.contains(top) && !top.contains(e) && staying(top) !== staying(e)
    })
    // Where one answer lies in the bar already, or something is taught first, the others may be scrolled to.
    const some = root.querySelector('main [data-seq] .primary, main > .beside')
    if (hidden.length > 0 && (!some || hidden.length === all.length))
      tell('asked', `${hidden.length} of ${all.length} answers have to be scrolled to, as ${called(hidden[0])}`, boxOf(hidden[0]))
  }
  /** What a panel beside the board asks, and what answers it there, is whole and in sight, and so is what it frames. */
  const task = () => {
    const panel = root.querySelector('main > .beside')
    if (!panel) return
    const whole = (e, box) => {
      const { rest } = seen(e, box, false)
      const part = !rest || rest.height < box.height - 1.5 || rest.width < box.width - 1.5
      if (part || box.top < -0.5 || box.bottom > height + 0.5) return tell('task', `${called(e)} is not whole in sight`, box)
      for (const x of [box.left + 2, box.right - 2]) {
        const top = document.elementFromPoint(x, (box.top + box.bottom) / 2)
        if (top && !e.contains(top) && !top.contains(e)) return tell('task', `${called(e)} is under ${called(top)}`, box)
      }
    }
    for (const e of panel.querySelectorAll('.goal, .grade, .facts')) for (const line of textsOf(e).flatMap(linesOf)) whole(e, line)
    for (const e of panel.querySelectorAll('.deeds button')) if (shown(e)) whole(e, boxOf(e))
    const frames = [...document.querySelectorAll('.highlights > .about')]
    const inSight = frames.filter((e) => {
      const [x, y] = middleOf(boxOf(e))
      const top = inWindow(x, y) && document.elementFromPoint(x, y)
      return top && !panel.contains(top)
    })
    if (frames.length && !inSight.length) tell('task', 'nothing that the lesson is about is in sight', boxOf(panel))
    signs('task', panel)
  }
  /** What scrolls there says so: by a shadow that lies where something goes on, or because what is cut is seen to be. */
  const signs = (kind, part) => {
    for (const e of [part, ...part.querySelectorAll('*')]) {
      if (!/auto|scroll/.test(style(e).overflowY) || e.scrollHeight <= e.clientHeight + 1 || !shown(e)) continue
      const edge = boxOf(e)
      const halved = [...e.querySelectorAll(PRESSED)].filter(shown).map(boxOf).some((box) => box.top < edge.bottom - 8 && box.bottom > edge.bottom + 8)
      if (!halved && !/local/.test(style(e).backgroundAttachment)) tell(kind, `${called(e)} scrolls without a sign`, edge)
    }
  }
  const board = () => {
    const middle = root.querySelector('main .middle')
    if (!half || !middle) return
    const box = boxOf(middle)
    let lines = 0
    for (let y = 1; y < height; y += 2) {
      const hit = document.elementFromPoint(middleOf(box)[0], y)
      if (hit?.closest('.middle, .mine, .others')) lines += 2
    }
    // What teaches, asks a riddle, reviews, or is said once, is read with the board: then the board has a third.
    // Answers to a question lie beside it: of the board as much as can be read at a glance.
    const many = root.querySelector('main > .beside .choice')
    const least = height / (many ? 10 : root.querySelector('main > .beside, main .review, main [data-seq] .absence, #strip > *') ? 3 : 2)
    if (lines < least - 2) tell('board', `has ${lines} of ${height} pixels`, { left: box.left, top: Math.max(box.top, 0), width: box.width, height: lines })
  }
  const empty = () => {
    const inside = ({ left, top, right, bottom }) => right > 0 && left < width && bottom > 0 && top < height
    const says = texts.some(({ parent, node }) => linesOf(node).some((line) => inside(line) && seen(parent, line).rest))
    if (!says) tell('empty', 'nothing is written on the page', { left: 0, top: 0, width, height })
  }
  const sideways = () => {
    const { scrollWidth } = document.documentElement
    if (scrollWidth > width) tell('sideways', `the page is ${scrollWidth} pixels wide`, { left: 0, top: 0, width: scrollWidth, height })
    for (const e of root.querySelectorAll('*')) {
      if (!/auto|scroll/.test(style(e).overflowX) || e.scrollWidth <= e.clientWidth + 1 || !shown(e) || e.clientWidth === 0) continue
      // What is chosen from, or read, may not be out of sight without a sign; nor whatever scrolls in both directions.
      const edge = boxOf(e)
      const inside = [...e.querySelectorAll(PRESSED)].filter(shown).map(boxOf)
      const half = inside.some((box) => box.left < edge.right - 8 && box.right > edge.right + 8)
      const sign = half || style(e).maskImage !== 'none' || /local/.test(style(e).backgroundAttachment)
      const beyond = inside.filter((box) => box.left >= edge.right - 8).length
      if (beyond > 0 && !sign) tell('sideways', `${called(e)} hides ${beyond} to choose from, without a sign`, edge)
      const lost = isMap(e) || sign ? null : texts.find(({ parent, lines }) => e.contains(parent) && lines.some((one) => one.right > edge.right + 1))
      if (lost) tell('sideways', `“${lost.text}” lies beyond the edge of ${called(e)}, without a sign`, edge)
    }
  }

  /** What is called as something else in the same part of the page: nobody who listens knows which is which. */
  const twice = () => {
    const called = new Map()
    for (const e of root.querySelectorAll('button, a[href], [role=button]')) {
      if (!e.checkVisibility({ visibilityProperty: true }) || e.closest('[aria-hidden=true], [inert]') || e.matches(':disabled')) continue
      const name = e.computedName.replace(/\s+/g, ' ').trim()
      const part = e.closest('[role=group], section, nav, li, dialog, header, aside, tr')
      // One piece may be drawn in two places.
      const place = e.dataset.place ?? e.querySelector('[data-place]')?.dataset.place
      const others = called.get(part) ?? new Map()
      called.set(part, others)
      if (others.has(name) && !(place && others.get(name) === place)) tell('named twice', `“${name}”`, boxOf(e))
      others.set(name, place)
    }
  }

  // --- All of it ---

  const start = [scrollX, scrollY]
  const pages = Math.min(12, Math.ceil((document.documentElement.scrollHeight - height) / (height * 0.8)))
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('*, *::before, *::after { pointer-events: auto !important }')
  /** With what lets touches through, too: it is seen all the same. */
  const all = (how) => {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    how()
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
  }
  const wanted = (...kinds) => only.length === 0 || kinds.some((kind) => only.includes(kind))
  const reread = () => texts.forEach((one) => (one.lines = linesOf(one.node)))
  const overall = wanted('covered', 'crossed', 'touching', 'blocked')
  // A lesson has led to what it is about.
  if (!root.querySelector('main > .beside')) scrollTo({ left: 0, top: 0, behavior: 'instant' })
  if (wanted('asked')) {
    bar()
    answers()
  }
  if (wanted('task')) task()
  if (wanted('board')) board()
  if (overall) scrollTo({ left: 0, top: 0, behavior: 'instant' })
  if (wanted('empty')) empty()
  if (wanted('sideways')) sideways()
  if (wanted('cut', 'broken word')) {
    reread()
    cuts()
  }
  if (wanted('invisible')) invisible()
  if (wanted('named twice')) twice()
  if (wanted('small')) sizes()
  if (wanted('covered piece') && !overall) all(covered)
  for (let page = 0; overall && page <= (dialogs.length > 0 ? 0 : pages); page += 1) {
    scrollTo({ left: 0, top: page * height * 0.8, behavior: 'instant' })
    stays.clear()
    // Frames around pieces follow them in the next picture.
    for (let n = document.querySelector('.highlights b') && page ? 2 : 0; n > 0; n -= 1)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    reread()
    blocked()
    all(() => {
      coverings()
      covered()
    })
  }
  for (const [piece, read] of readable) if (!read) tell('covered', `nothing of ${called(piece)} can be read`, boxOf(piece))
  scrollTo({ left: start[0], top: start[1], behavior: 'instant' })
  return found.filter(([kind]) => wanted(kind))
}
