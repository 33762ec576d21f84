pub struct BodyGeometry;
pub struct SupportRegion;
