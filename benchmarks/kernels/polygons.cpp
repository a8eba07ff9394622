// Distance and contact points of two polygons: polygons.py, line by line.

#include <cmath>
#include <cstdint>

namespace {

using Int = std::int64_t;
struct Vector { double x, y; };
struct Frame { Vector turn, origin; };
struct Gap { double distance; Vector normal, point_a, point_b; };

constexpr Int RADIUS = 0, REACH = 1, CENTRE = 2, VERTEX_COUNT = 4, EDGE_COUNT = 5;
constexpr Int EDGES_START = 6, VERTICES = 7, EDGE = 4, FRAME = 4;
constexpr Int DISTANCE = 0, POINT = 1, FEATURE = 3, CONTACT = 4;
constexpr Int VERTEX_A = 2, VERTEX_B = 3, ROW = 4, NEW = 2, CORNER = -1, RECORD = 10 + 2 * CONTACT;
constexpr double ANY = 1e300, TIE = 1e-7, EXACT = 1e-12, EXPLAINED = 0.9, UPRIGHT = 1e-9;
constexpr double TOLERANCE = 1e-14, MEETING = 1e-14;
constexpr Int STEPS = 60;

// As Python's: the first, unless another one is beyond it.
double min(double a, double b) { return b < a ? b : a; }
double max(double a, double b) { return b > a ? b : a; }
Int whole(double x) { return static_cast<Int>(x); }

// Vectors and frames

Frame frame_at(const double* m, Int s) { return {{m[s], m[s + 1]}, {m[s + 2], m[s + 3]}}; }
Vector minus(Vector a, Vector b) { return {a.x - b.x, a.y - b.y}; }
Vector along(Vector a, double t, Vector b) { return {a.x + t * b.x, a.y + t * b.y}; }
Vector opposite(Vector a) { return {-a.x, -a.y}; }
double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y; }
double norm(Vector a) { return std::sqrt(a.x * a.x + a.y * a.y); }

Vector turned(const Frame& f, Vector a) {
  double c = f.turn.x, s = f.turn.y;
  return {c * a.x - s * a.y, s * a.x + c * a.y};
}

Vector placed(const Frame& f, Vector a) {
  double c = f.turn.x, s = f.turn.y;
  return {f.origin.x + (c * a.x - s * a.y), f.origin.y + (s * a.x + c * a.y)};
}

Vector direction_in(const Frame& f, Vector a) {
  double c = f.turn.x, s = f.turn.y;
  return {c * a.x + s * a.y, c * a.y - s * a.x};
}

Frame between(const Frame& f, const Frame& other) {
  double c = f.turn.x, s = f.turn.y, d = other.turn.x, e = other.turn.y;
  return {{c * d + s * e, c * e - s * d}, direction_in(f, minus(other.origin, f.origin))};
}

// Contact points in memory

void write_row(double* rows, Int number, double distance, Vector point, double feature) {
  double* row = rows + CONTACT * number;
  row[DISTANCE] = distance;
  row[POINT] = point.x;
  row[POINT + 1] = point.y;
  row[FEATURE] = feature;
}

Int deepest_row(const double* rows, Int count) {
  Int chosen = 0;
  for (Int number = 1; number < count; ++number)
    if (rows[CONTACT * number + DISTANCE] < rows[CONTACT * chosen + DISTANCE]) chosen = number;
  return chosen;
}

bool are_as_deep(const double* rows, Int count, double distance) {
  return count > 0 && rows[CONTACT * deepest_row(rows, count) + DISTANCE] <= EXPLAINED * distance;
}

// Separating axes

Vector vertex_of(const double* shape, Int vertex) {
  return {shape[VERTICES + 2 * vertex], shape[VERTICES + 2 * vertex + 1]};
}

Int following_vertex(Int vertex, Int count, Int way) {
  if (way == 0) return vertex + 1 < count ? vertex + 1 : 0;
  return vertex > 0 ? vertex - 1 : count - 1;
}

struct Low { Int vertex; double height; };

Low downhill(const double* shape, Vector direction, Int start) {
  Int count = whole(shape[VERTEX_COUNT]);
  Int vertex = start;
  double height = dot(direction, vertex_of(shape, vertex));
  for (Int way = 0; way < 2; ++way) {
    for (Int i = 0; i < count; ++i) {
      Int following = following_vertex(vertex, count, way);
      double next_height = dot(direction, vertex_of(shape, following));
      if (next_height >= height) break;
      vertex = following;
      height = next_height;
    }
    if (vertex != start) break;
  }
  return {vertex, height};
}

Int lowest_vertex(const double* shape, Vector direction) {
  return downhill(shape, direction, 0).vertex;
}

struct Best { double separation; Int edge; };

[[gnu::noinline]] Best edges_separation(
    const double* a, const Frame& frame_b, const double* b, double margin) {
  double best = -1e300;
  Int chosen = 0, lowest = 0;
  for (Int edge = 0; edge < whole(a[EDGE_COUNT]); ++edge) {
    Int start = whole(a[EDGES_START]) + EDGE * edge;
    Vector normal = {a[start + 2], a[start + 3]};
    Low low = downhill(b, direction_in(frame_b, normal), lowest);
    lowest = low.vertex;
    double beyond =
        low.height + dot(normal, minus(frame_b.origin, vertex_of(a, whole(a[start]))));
    if (beyond > best) {
      best = beyond;
      chosen = edge;
      if (best > margin) break;
    }
  }
  return {best, chosen};
}

double centre_line(const double* a, const Frame& frame_a, const double* b, const Frame& frame_b) {
  Vector centre_a = placed(frame_a, {a[CENTRE], a[CENTRE + 1]});
  Vector way = minus(placed(frame_b, {b[CENTRE], b[CENTRE + 1]}), centre_a);
  double length = norm(way);
  if (length == 0.0) return -1e300;
  Vector direction = {way.x / length, way.y / length};
  Vector against = direction_in(frame_a, {-direction.x, -direction.y});
  double top = downhill(a, against, 0).height;
  double bottom = downhill(b, direction_in(frame_b, direction), 0).height;
  return bottom + top + dot(direction, minus(frame_b.origin, frame_a.origin));
}

struct Found { double separation; Int exact, reference; };

Found find_edge(
    const double* a, const Frame& frame_a, const double* b, const Frame& frame_b, double margin) {
  double radii = a[RADIUS] + b[RADIUS];
  Int count = whole(a[EDGE_COUNT]);
  double between_centres = centre_line(a, frame_a, b, frame_b) - radii;
  if (between_centres > margin) return {between_centres, CORNER, CORNER};
  Best first = edges_separation(a, between(frame_a, frame_b), b, margin + radii);
  if (first.separation - radii > margin)
    return {first.separation - radii, first.edge, first.edge};
  Best second = edges_separation(b, between(frame_b, frame_a), a, margin + radii);
  Int exact = first.edge, reference = first.edge;
  if (second.separation > first.separation) exact = count + second.edge;
  if (second.separation > first.separation + TIE * (a[REACH] + b[REACH]))
    reference = count + second.edge;
  return {max(first.separation, second.separation) - radii, exact, reference};
}

// Contact points of an edge

struct Part { double low, high; };

Part overlap(double length, double start, double end, double span) {
  double way = end - start;
  if (std::fabs(way) <= UPRIGHT * span) return {0.0, 1.0};
  double at_first = -start / way, at_last = (length - start) / way;
  double low = min(at_first, at_last), high = max(at_first, at_last);
  if (high <= 0.0) return {0.0, 0.0};
  if (low >= 1.0) return {1.0, 1.0};
  return {max(low, 0.0), min(high, 1.0)};
}

Int facing_edge(const double* shape, Vector direction) {
  double lowest = 1e300;
  Int chosen = 0;
  for (Int edge = 0; edge < whole(shape[VERTEX_COUNT]); ++edge) {
    Int start = whole(shape[EDGES_START]) + EDGE * edge;
    double facing = direction.x * shape[start + 2] + direction.y * shape[start + 3];
    if (facing < lowest) {
      lowest = facing;
      chosen = edge;
    }
  }
  return chosen;
}

struct Written { Int count; Vector normal; };

Written contacts_on(
    const double* a, const Frame& frame_a, const double* b, const Frame& frame_b, Int edge,
    double* rows) {
  Int start = whole(a[EDGES_START]) + EDGE * edge;
  Vector normal = turned(frame_a, {a[start + 2], a[start + 3]});
  Vector first = placed(frame_a, vertex_of(a, whole(a[start])));
  Vector span = minus(placed(frame_a, vertex_of(a, whole(a[start + 1]))), first);
  Vector tangent = {-normal.y, normal.x};
  Int incident = whole(b[EDGES_START]) + EDGE * facing_edge(b, direction_in(frame_b, normal));
  Int first_b = whole(b[incident]), last_b = whole(b[incident + 1]);
  Vector near = placed(frame_b, vertex_of(b, first_b));
  Vector far = placed(frame_b, vertex_of(b, last_b));
  Part part = overlap(
      dot(tangent, span), dot(tangent, minus(near, first)), dot(tangent, minus(far, first)),
      norm(minus(far, near)));
  double radii = a[RADIUS] + b[RADIUS];
  double base = static_cast<double>(64 * edge);
  for (Int number = 0; number < 2; ++number) {
    Vector point = along(near, number == 0 ? part.low : part.high, minus(far, near));
    double distance = dot(normal, minus(point, first)) - radii;
    Vector middle = along(point, -b[RADIUS] - 0.5 * distance, normal);
    double feature = base + static_cast<double>(number == 0 ? first_b : last_b);
    write_row(rows, number, distance, middle, feature);
  }
  return {2, normal};
}

Written edge_contacts(
    const double* a, const Frame& frame_a, const double* b, const Frame& frame_b, Int edge,
    double* rows) {
  Int count = whole(a[EDGE_COUNT]);
  if (edge < count) return contacts_on(a, frame_a, b, frame_b, edge, rows);
  Written written = contacts_on(b, frame_b, a, frame_a, edge - count, rows);
  return {written.count, opposite(written.normal)};
}

// Distance apart, by GJK

Vector row_point(const double* work, Int row) { return {work[ROW * row], work[ROW * row + 1]}; }

Vector farthest_row(
    const double* a, const double* b, const Frame& frame, double* work, Vector direction,
    Int row) {
  work[ROW * row + VERTEX_A] = static_cast<double>(lowest_vertex(a, direction));
  Vector against = direction_in(frame, opposite(direction));
  work[ROW * row + VERTEX_B] = static_cast<double>(lowest_vertex(b, against));
  Vector first = vertex_of(a, whole(work[ROW * row + VERTEX_A]));
  Vector second = vertex_of(b, whole(work[ROW * row + VERTEX_B]));
  Vector point = minus(placed(frame, second), first);
  work[ROW * row] = point.x;
  work[ROW * row + 1] = point.y;
  return point;
}

void copy_row(double* work, Int source, Int target) {
  for (Int column = 0; column < ROW; ++column)
    work[ROW * target + column] = work[ROW * source + column];
}

struct Nearest { double share; Vector point, towards; };

Nearest nearest_of(const double* work, Int count) {
  Vector first = row_point(work, 0);
  double share = 0.0;
  Vector nearest = first;
  if (count == 2) {
    Vector edge = minus(row_point(work, 1), first);
    double square = dot(edge, edge);
    share = square > 0.0 ? -dot(first, edge) / square : 0.0;
    if (0.0 < share && share < 1.0) {
      double length = norm(edge);
      Vector across = {edge.y / length, -edge.x / length};
      if (dot(across, first) < 0.0) across = opposite(across);
      return {share, along(first, share, edge), across};
    }
    nearest = share >= 1.0 ? row_point(work, 1) : first;
  }
  double length = norm(nearest);
  if (length <= 0.0) return {share, nearest, {0.0, 1.0}};
  return {share, nearest, {nearest.x / length, nearest.y / length}};
}

bool is_kept(const double* work, Int count) {
  for (Int row = 0; row < count; ++row)
    if (work[ROW * row + VERTEX_A] == work[ROW * NEW + VERTEX_A] &&
        work[ROW * row + VERTEX_B] == work[ROW * NEW + VERTEX_B])
      return true;
  return false;
}

double turn(Vector a, Vector b) { return a.x * b.y - a.y * b.x; }

double from_origin(Vector start, Vector end) {
  Vector edge = minus(end, start);
  double square = dot(edge, edge);
  double share = square > 0.0 ? -dot(start, edge) / square : 0.0;
  Vector nearest = along(start, max(0.0, min(1.0, share)), edge);
  return dot(nearest, nearest);
}

bool replace(double* work) {
  Vector first = row_point(work, 0), second = row_point(work, 1), added = row_point(work, NEW);
  double one = turn(first, second), two = turn(second, added), three = turn(added, first);
  if (min(min(one, two), three) >= 0.0 || max(max(one, two), three) <= 0.0) return true;
  copy_row(work, NEW, from_origin(first, added) <= from_origin(second, added) ? 1 : 0);
  return false;
}

struct Core { double distance; Vector normal, point; };

[[gnu::noinline]] Core core_distance(
    const double* a, const double* b, const Frame& frame, double* work) {
  double size = a[REACH] - a[RADIUS] + b[REACH] - b[RADIUS];
  Vector centre = {a[CENTRE], a[CENTRE + 1]};
  Vector way = minus(placed(frame, {b[CENTRE], b[CENTRE + 1]}), centre);
  farthest_row(a, b, frame, work, opposite(way), 0);
  Int count = 1;
  double distance = 0.0, lower = -1e300, best = 1e300;
  Vector normal = {0.0, 1.0};
  for (Int step = 0; step < STEPS; ++step) {
    Nearest nearest = nearest_of(work, count);
    if (nearest.share <= 0.0 || nearest.share >= 1.0) {
      if (nearest.share >= 1.0) copy_row(work, 1, 0);
      count = 1;
    }
    distance = dot(nearest.point, nearest.towards);
    if (distance <= MEETING * size) return {0.0, normal, frame.origin};
    bool stalled = distance >= best;
    best = min(best, distance);
    Vector point = farthest_row(a, b, frame, work, opposite(nearest.towards), NEW);
    double bound = dot(point, nearest.towards);
    if (bound > lower) {
      lower = bound;
      normal = nearest.towards;
    }
    if (stalled || distance - lower <= TOLERANCE * size || is_kept(work, count)) break;
    if (count == 1) {
      copy_row(work, NEW, 1);
      count = 2;
    } else if (replace(work)) {
      return {0.0, normal, frame.origin};
    }
  }
  double share = nearest_of(work, count).share;
  Vector first = vertex_of(a, whole(work[VERTEX_A]));
  if (count == 1) return {distance, normal, first};
  Vector second = vertex_of(a, whole(work[ROW + VERTEX_A]));
  return {distance, normal, along(first, share, minus(second, first))};
}

// Result of a query

Vector edge_normal(
    const double* a, const Frame& frame_a, const double* b, const Frame& frame_b, Int edge) {
  Int count = whole(a[EDGE_COUNT]);
  if (edge < count) {
    Int start = whole(a[EDGES_START]) + EDGE * edge;
    return turned(frame_a, {a[start + 2], a[start + 3]});
  }
  Int start = whole(b[EDGES_START]) + EDGE * (edge - count);
  return opposite(turned(frame_b, {b[start + 2], b[start + 3]}));
}

[[gnu::noinline]] Gap polygons_gap(
    const double* a, const Frame& frame_a, const double* b, const Frame& frame_b, double* work) {
  Found found = find_edge(a, frame_a, b, frame_b, ANY);
  double radii = a[RADIUS] + b[RADIUS];
  double apart = found.separation + radii;
  Core core = {0.0, frame_a.turn, frame_a.origin};
  if (apart > 0.0) core = core_distance(a, b, between(frame_a, frame_b), work);
  if (core.distance > 0.0) {
    double distance = core.distance;
    Vector normal = turned(frame_a, core.normal);
    Vector point = placed(frame_a, core.point);
    if (distance <= apart + EXACT * (a[REACH] + b[REACH])) {
      distance = apart;
      normal = edge_normal(a, frame_a, b, frame_b, found.exact);
    }
    return {distance - radii, normal, along(point, a[RADIUS], normal),
            along(point, distance - b[RADIUS], normal)};
  }
  Written written = edge_contacts(a, frame_a, b, frame_b, found.exact, work);
  const double* row = work + CONTACT * deepest_row(work, written.count) + POINT;
  Vector middle = {row[0], row[1]};
  return {found.separation, written.normal,
          along(middle, -0.5 * found.separation, written.normal),
          along(middle, 0.5 * found.separation, written.normal)};
}

Int polygons_look(
    const double* a, const Frame& frame_a, const double* b, const Frame& frame_b, double margin,
    double* work) {
  Found found = find_edge(a, frame_a, b, frame_b, margin);
  double separation = found.separation;
  double radii = a[RADIUS] + b[RADIUS];
  if (separation <= margin && radii > 0.0 && separation + radii > 0.0) {
    double distance = core_distance(a, b, between(frame_a, frame_b), work).distance;
    if (distance - radii > separation + EXACT * (a[REACH] + b[REACH])) return CORNER;
  }
  if (radii > 0.0 && separation < 0.0) {
    Int count = edge_contacts(a, frame_a, b, frame_b, found.reference, work).count;
    if (!are_as_deep(work, count, separation)) return CORNER;
  }
  return found.reference;
}

Written polygons_contacts(
    const double* a, const Frame& frame_a, const double* b, const Frame& frame_b, Int feature,
    double* rows, double* work) {
  if (feature == CORNER) {
    Gap gap = polygons_gap(a, frame_a, b, frame_b, work);
    Vector middle = along(gap.point_a, 0.5 * gap.distance, gap.normal);
    write_row(rows, 0, gap.distance, middle, static_cast<double>(CORNER));
    return {1, gap.normal};
  }
  return edge_contacts(a, frame_a, b, frame_b, feature, rows);
}

}  // namespace

extern "C" void measure(
    Int count, const double* a, const double* frames_a, const double* b, const double* frames_b,
    double* work, double* out) {
  for (Int i = 0; i < count; ++i) {
    Frame frame_a = frame_at(frames_a, FRAME * i);
    Frame frame_b = frame_at(frames_b, FRAME * i);
    double* record = out + RECORD * i;
    Gap gap = polygons_gap(a, frame_a, b, frame_b, work);
    record[0] = gap.distance;
    record[1] = gap.normal.x, record[2] = gap.normal.y;
    record[3] = gap.point_a.x, record[4] = gap.point_a.y;
    record[5] = gap.point_b.x, record[6] = gap.point_b.y;
    record[7] = 0.0;
    if (gap.distance < 0.0) {
      Int feature = polygons_look(a, frame_a, b, frame_b, ANY, work);
      Written written =
          polygons_contacts(a, frame_a, b, frame_b, feature, record + 10, work);
      record[7] = static_cast<double>(written.count);
      record[8] = written.normal.x, record[9] = written.normal.y;
    }
  }
}
